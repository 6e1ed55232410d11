
/* Calls a target of libFuzzer with an input of each size from 0 to MOST bytes, in a block of its own. */
void *malloc(unsigned long);
void free(void *);
void effigy_symbolic(void *, unsigned long, const char *);
unsigned long effigy_number(unsigned, const char *);
void effigy_assume(int);
int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long);
__attribute__((weak)) int LLVMFuzzerInitialize(int *, char ***);

int main(int argc, char **argv) {
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  unsigned long given = effigy_number(4, "size"), size = 0;
  effigy_assume(given <= MOST);
  while (size < given) size++;
  unsigned char *data = malloc(size);
  effigy_symbolic(data, size, "data");
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  return 0;
}
