// Tables of hashes: sizes and the order of iteration are those of libstdc++.
#include <cassert>
#include <cstdio>
#include <klee/klee.h>
#include <string>
#include <unordered_map>
int main() {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  std::unordered_map<int, int> squares;
  for (int i = 0; i < 20; i++) squares[i * 3] = i * i;
  for (auto &it : squares) printf("%d ", it.first);
  std::unordered_map<std::string, int> names{{"one", 1}, {"two", 2}, {"three", 3}};
  for (auto &it : names) printf("%s ", it.first.c_str());
  printf("%zu\n", names.bucket_count());
  auto found = squares.find(x);
  if (found != squares.end()) assert(found->second * 9 == x * x);
  return found == squares.end();
}
