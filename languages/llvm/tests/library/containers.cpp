// Random operations on the containers of libstdc++, and one number for all that is seen of them: their content, the order
// of iteration, sizes of hash tables, hashes. It is the same with the machine's functions and with ours.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

static unsigned long seen = 1;

static void see(unsigned long value) { seen = (seen ^ value) * 1099511628211ul; }

struct Containers {
  std::map<int, int> map;
  std::multimap<int, int> several;
  std::set<std::string> set;
  std::unordered_map<std::string, int> hashed;
  std::unordered_set<int> numbers;
  std::list<int> list, other;

  void change(int turn) {
    int value = rand() % 100;
    switch (rand() % 9) {
      case 0: map[value] = turn; break;
      case 1: map.erase(value); break;
      case 2: set.insert(std::to_string(value)); break;
      case 3: set.erase(std::to_string(value)); break;
      case 4: hashed["a key that does not fit a short string " + std::to_string(value)] += turn; break;
      case 5:
        numbers.insert(value * 7);
        if (value > 80) hashed.erase(hashed.begin(), hashed.end());
        break;
      case 6:
        list.push_back(value);
        if (value % 3 == 0) list.reverse();
        if (value % 7 == 0) list.sort();
        break;
      case 7:
        other.push_front(value);
        if (value % 5 == 0) list.splice(list.begin(), other);
        if (value % 11 == 0) list.swap(other);
        if (value % 13 == 0) list.unique();
        break;
      default:
        several.insert({value % 10, turn});
        if (auto found = several.find(value % 10); value > 60 && found != several.end()) several.erase(found);
    }
  }

  void look() const {
    int before = -1;
    for (auto &[key, value] : map) {
      assert(key > before);
      before = key;
      see(key + value);
    }
    for (auto it = map.rbegin(); it != map.rend(); ++it) see(it->first);
    for (auto it = set.rbegin(); it != set.rend(); ++it) see(it->size() + (*it)[0]);
    for (auto &[key, value] : several) see(key * 1000 + value);
    for (int it : list) see(it);
    for (int it : other) see(it);
  }

  void look_at_hashes() const {
    for (auto &[key, value] : hashed) {
      see(value);
      see(std::hash<std::string>()(key));
    }
    for (int it : numbers) see(it);
    see(hashed.bucket_count());
    see(numbers.bucket_count());
  }
};

int main() {
  for (int seed = 0; seed < 200; seed++) {
    srand(seed);
    Containers all;
    for (int turn = 0; turn < 400; turn++) {
      all.change(turn);
      all.look();
    }
    all.look_at_hashes();
  }
  for (float load : {0.1f, 0.7f, 1.f, 2.5f, 10.f}) {
    std::unordered_set<int> numbers;
    numbers.max_load_factor(load);
    for (int i = 0; i < 20000; i++) {
      numbers.insert(i);
      see(numbers.bucket_count());
    }
    numbers.reserve(300000);
    see(numbers.bucket_count());
    numbers.rehash(0);
    see(numbers.bucket_count());
  }
  printf("%lx\n", seen);
}
