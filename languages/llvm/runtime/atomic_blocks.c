
/* SV-COMP's blocks, in which no other thread runs. ThreadSanitizer does not know that their accesses are atomic. */
static char effigy_blocks;
static void effigy_is_blind(const char *what) {
  static int is_said;
  if (!is_said && __tsan_acquire) fprintf(stderr, "effigy: ThreadSanitizer does not follow %s\n", what);
  is_said = 1;
}
void effigy_block_begin(void) {
  if (!effigy_are_several()) return;
  effigy_point(BLOCK, NULL, NULL);
  effigy_is_blind("an atomic block");
  effigy_acquire(&effigy_blocks);
  effigy_own()->is_in_block = 1;
}
void effigy_block_end(void) {
  struct effigy_thread *own = effigy_own();
  /* Inside of an atomic function it ends nothing. */
  if (!own->is_in_block || own->block_frame) return;
  effigy_release(&effigy_blocks);
  own->is_in_block = 0;
}

/* Functions whose names begin so are atomic blocks as a whole. Clang calls these hooks in each function of a program that
 * may have some; the names are in the executable. */
enum { MOST_ATOMIC = 256 };
static void *effigy_atomic_functions[MOST_ATOMIC];
static int effigy_atomic_count;

static void effigy_find_atomic_functions(void) {
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (file < 0 || __real_fstat(file, &about) != 0) effigy_left("the executable cannot be read");
  char *image = __real_mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  __real_close(file);
  if (image == MAP_FAILED) effigy_left("the executable cannot be read");
  Elf64_Ehdr *head = (Elf64_Ehdr *)image;
  Elf64_Shdr *sections = (Elf64_Shdr *)(image + head->e_shoff);
  /* Where it was loaded is where a function that is known lies, in relation to its place in the file. */
  uintptr_t base = head->e_type == ET_DYN ? (uintptr_t)&__executable_start : 0;
  for (int it = 0; it < head->e_shnum; it++) {
    if (sections[it].sh_type != SHT_SYMTAB) continue;
    Elf64_Sym *symbols = (Elf64_Sym *)(image + sections[it].sh_offset);
    const char *names = image + sections[sections[it].sh_link].sh_offset;
    for (size_t at = 0; at < sections[it].sh_size / sizeof *symbols; at++) {
      if (ELF64_ST_TYPE(symbols[at].st_info) != STT_FUNC || symbols[at].st_shndx == SHN_UNDEF) continue;
      const char *name = names + symbols[at].st_name;
      if (strncmp(name, "__VERIFIER_atomic_", 18) != 0) continue;
      if (strcmp(name + 18, "begin") == 0 || strcmp(name + 18, "end") == 0) continue;
      if (effigy_atomic_count == MOST_ATOMIC) effigy_left("there are too many atomic functions");
      effigy_atomic_functions[effigy_atomic_count++] = (void *)(base + symbols[at].st_value);
    }
  }
  munmap(image, (size_t)about.st_size);
}

void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  struct effigy_thread *own = effigy_own();
  if (!effigy_are_several() || own->is_in_block) return;
  for (int it = 0; it < effigy_atomic_count; it++) {
    if (effigy_atomic_functions[it] != function) continue;
    effigy_block_begin();
    own->block_frame = __builtin_frame_address(0);
    own->block_function = function;
    return;
  }
}
/* A function that was left by longjmp(3) has no end of its own: then the block ends with a call that is further out. */
void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  struct effigy_thread *own = effigy_own();
  char *frame = __builtin_frame_address(0);
  if (!own->block_frame || (char *)own->block_frame > frame) return;
  if (own->block_function != function && (char *)own->block_frame == frame) return;
  own->block_frame = NULL;
  effigy_block_end();
}
