// The environment of a program is any: empty, or with texts in it.
//@ incomplete: the environment
#include <effigy.h>
int main(int argc, char **argv, char **envp) {
  if (!envp[0])
    return 0;
  if (envp[0][0] == 'P')
    return 1 / (argc - 1); //~ possible: division-by-zero
  return 2;
}
