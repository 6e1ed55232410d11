// Words of a text are counted by a map, and told by std::cout.
//@ paths: 7
//@ apart: merged paths ask where the pieces of a string buffer lie
#include <effigy.h>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
int main() {
  char text[3];
  effigy_symbolic(text, 2, "text");
  text[2] = 0;
  std::istringstream in(text);
  std::map<std::string, int> counts;
  std::string word;
  while (in >> word) counts[word]++;
  for (auto &it : counts) std::cout << it.first << '=' << it.second << std::endl;
  return counts.size();
}
