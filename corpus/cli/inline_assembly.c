int main(void) {
  int result;
  __asm__("movl $7, %0" : "=r"(result));
  return result;
}
