// A vector uses more of its storage as it grows, and less as it shrinks; copies, moves and swaps keep what is used.
#include <cassert>
#include <effigy.h>
#include <utility>
#include <vector>
struct Item {
  short value;
  Item(short value) : value(value) {}
  ~Item() {}
};
int main() {
  std::vector<Item> items;
  unsigned char count = effigy_uchar("count");
  effigy_assume(count <= 3);
  for (short at = 0; at < count; at++) items.emplace_back(at);
  if (effigy_bool("inserted")) items.insert(items.begin(), Item(7));
  if (effigy_bool("erased") && !items.empty()) items.erase(items.begin());
  items.resize(4, Item(9));
  std::vector<Item> other = items;
  other.pop_back();
  std::swap(items, other);
  std::vector<Item> moved = std::move(other);
  moved.shrink_to_fit();
  moved.assign(2, Item(3));
  moved.push_back(Item(4));
  int sum = 0;
  for (const Item &it : moved) sum += it.value;
  for (const Item &it : items) sum += it.value;
  assert(moved.back().value == 4 && items.size() == 3);
  return sum & 127;
}
