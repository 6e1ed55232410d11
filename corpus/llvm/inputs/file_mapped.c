// A file in memory: what is behind its end in the last page is zero, pages behind that are not there.
//@ flags: --sym-file map 8
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  int file = open("map", O_RDONLY);
  struct stat it;
  if (file < 0 || fstat(file, &it) != 0 || it.st_size == 0) return 9;
  const char *text = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, file, 0);
  if (text == MAP_FAILED) return 8;
  close(file);
  if (text[4095] != 0) return 7;
  if (memcmp(text, "at end", 6) == 0) return text[4096]; //~ bug: out-of-bounds-read
  return munmap((void *)text, 8192);
}
