// What the system says of files: sizes are theirs, times and owners are inputs.
//@ flags: --sym-file data 3
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  struct stat named, opened, none;
  if (stat("nothing", &none) == 0 || stat("data", &named) != 0) return 90;
  int file = open("data", O_RDONLY);
  if (fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode)) return 91;
  if (named.st_size != opened.st_size || opened.st_size > 3) return 92;
  char *text = malloc(opened.st_size);
  if (!text && opened.st_size) return 93;
  ssize_t count = read(file, text, opened.st_size);
  char first = count > 0 ? text[0] : 0;
  free(text);
  if (count != opened.st_size) return 94;
  if (first == '#') return 1;
  return named.st_mtime > 1000000 ? 2 : 3;
}
