// What the containers of libstdc++ have out of line: red-black trees, the links of lists, the sizes of hash tables, the
// hash of bytes. Layouts and names are those of its ABI; sizes and hashes are its numbers, for the order of iteration
// depends on them.

namespace std {

enum _Rb_tree_color { _S_red = false, _S_black = true };

struct _Rb_tree_node_base {
  _Rb_tree_color _M_color;
  _Rb_tree_node_base *_M_parent, *_M_left, *_M_right;
};

typedef _Rb_tree_node_base Node;

// The header of a tree: its parent is the root, its left the first node, its right the last one. It is red, and the
// parent of the root.

static Node *after(Node *x) noexcept {
  if (x->_M_right) {
    for (x = x->_M_right; x->_M_left; x = x->_M_left) {}
    return x;
  }
  Node *y = x->_M_parent;
  for (; x == y->_M_right; y = y->_M_parent) x = y;
  // From the last node the walk ends at the header, also where the root is the last node.
  return x->_M_right == y ? x : y;
}

static Node *before(Node *x) noexcept {
  if (x->_M_color == _S_red && x->_M_parent->_M_parent == x) return x->_M_right;
  if (x->_M_left) {
    for (x = x->_M_left; x->_M_right; x = x->_M_right) {}
    return x;
  }
  Node *y = x->_M_parent;
  for (; x == y->_M_left; y = y->_M_parent) x = y;
  return y;
}

Node *_Rb_tree_increment(Node *x) { return after(x); }
const Node *_Rb_tree_increment(const Node *x) { return after(const_cast<Node *>(x)); }
Node *_Rb_tree_decrement(Node *x) { return before(x); }
const Node *_Rb_tree_decrement(const Node *x) { return before(const_cast<Node *>(x)); }

static bool is_black(const Node *x) noexcept { return !x || x->_M_color == _S_black; }

// Puts `y` where `x` hangs.
static void replace(Node *x, Node *y, Node &header) noexcept {
  Node *parent = x->_M_parent;
  if (header._M_parent == x) {
    header._M_parent = y;
  } else if (parent->_M_left == x) {
    parent->_M_left = y;
  } else {
    parent->_M_right = y;
  }
  if (y) y->_M_parent = parent;
}

// Turns `x` down, to the left or to the right; its child on the other side comes up.
static void rotate(Node *x, bool left, Node &header) noexcept {
  Node *y = left ? x->_M_right : x->_M_left;
  Node *inner = left ? y->_M_left : y->_M_right;
  replace(x, y, header);
  (left ? x->_M_right : x->_M_left) = inner;
  if (inner) inner->_M_parent = x;
  (left ? y->_M_left : y->_M_right) = x;
  x->_M_parent = y;
}

void _Rb_tree_insert_and_rebalance(bool left, Node *x, Node *parent, Node &header) {
  x->_M_parent = parent;
  x->_M_left = x->_M_right = nullptr;
  x->_M_color = _S_red;
  if (left) {
    parent->_M_left = x;
    if (parent == &header) {
      header._M_parent = header._M_right = x;
    } else if (parent == header._M_left) {
      header._M_left = x;
    }
  } else {
    parent->_M_right = x;
    if (parent == header._M_right) header._M_right = x;
  }
  while (x != header._M_parent && x->_M_parent->_M_color == _S_red) {
    Node *up = x->_M_parent, *top = up->_M_parent;
    bool is_left = up == top->_M_left;
    Node *uncle = is_left ? top->_M_right : top->_M_left;
    if (!is_black(uncle)) {
      up->_M_color = uncle->_M_color = _S_black;
      top->_M_color = _S_red;
      x = top;
      continue;
    }
    if (x == (is_left ? up->_M_right : up->_M_left)) {
      rotate(up, is_left, header);
      up = x;
    }
    up->_M_color = _S_black;
    top->_M_color = _S_red;
    rotate(top, !is_left, header);
    break;
  }
  header._M_parent->_M_color = _S_black;
}

// Takes `z` out of the tree; it is returned.
Node *_Rb_tree_rebalance_for_erase(Node *const z, Node &header) {
  if (header._M_left == z) header._M_left = z->_M_right ? after(z) : z->_M_parent;
  if (header._M_right == z) header._M_right = z->_M_left ? before(z) : z->_M_parent;
  Node *x, *parent;
  _Rb_tree_color gone = z->_M_color;
  if (!z->_M_left || !z->_M_right) {
    x = z->_M_left ? z->_M_left : z->_M_right;
    parent = z->_M_parent;
    replace(z, x, header);
  } else {
    // The next node takes its place.
    Node *y = after(z);
    gone = y->_M_color;
    x = y->_M_right;
    if (y->_M_parent == z) {
      parent = y;
    } else {
      parent = y->_M_parent;
      replace(y, x, header);
      y->_M_right = z->_M_right;
      y->_M_right->_M_parent = y;
    }
    replace(z, y, header);
    y->_M_left = z->_M_left;
    y->_M_left->_M_parent = y;
    y->_M_color = z->_M_color;
  }
  if (gone == _S_red) return z;
  // The paths through `x` have one black node less than the others.
  while (x != header._M_parent && is_black(x)) {
    bool is_left = x == parent->_M_left;
    Node *sibling = is_left ? parent->_M_right : parent->_M_left;
    if (sibling->_M_color == _S_red) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, is_left, header);
      sibling = is_left ? parent->_M_right : parent->_M_left;
    }
    Node *near = is_left ? sibling->_M_left : sibling->_M_right;
    Node *far = is_left ? sibling->_M_right : sibling->_M_left;
    if (is_black(near) && is_black(far)) {
      sibling->_M_color = _S_red;
      x = parent;
      parent = x->_M_parent;
      continue;
    }
    if (is_black(far)) {
      near->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, !is_left, header);
      sibling = near;
      far = is_left ? sibling->_M_right : sibling->_M_left;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    far->_M_color = _S_black;
    rotate(parent, is_left, header);
    break;
  }
  if (x) x->_M_color = _S_black;
  return z;
}

namespace __detail {

struct _List_node_base {
  _List_node_base *_M_next, *_M_prev;

  void _M_hook(_List_node_base *position) noexcept;
  void _M_unhook() noexcept;
  void _M_transfer(_List_node_base *first, _List_node_base *last) noexcept;
  void _M_reverse() noexcept;
  static void swap(_List_node_base &x, _List_node_base &y) noexcept;
};

static void join(_List_node_base *x, _List_node_base *y) noexcept {
  x->_M_next = y;
  y->_M_prev = x;
}

// Inserts this node before a position.
void _List_node_base::_M_hook(_List_node_base *position) noexcept {
  join(position->_M_prev, this);
  join(this, position);
}

void _List_node_base::_M_unhook() noexcept { join(_M_prev, _M_next); }

// Moves the nodes from `first` to before `last` to before this one.
void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *last) noexcept {
  if (this == last || first == last) return;
  _List_node_base *end = last->_M_prev, *start = first->_M_prev;
  join(start, last);
  join(_M_prev, first);
  join(end, this);
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *at = this;
  do {
    _List_node_base *next = at->_M_next;
    at->_M_next = at->_M_prev;
    at->_M_prev = next;
    at = next;
  } while (at != this);
}

// Exchanges what hangs in two rings.
void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept {
  _List_node_base *first = x._M_next, *last = x._M_prev;
  bool x_empty = first == &x;
  if (y._M_next == &y) {
    x._M_next = x._M_prev = &x;
  } else {
    join(&x, y._M_next);
    join(y._M_prev, &x);
  }
  if (x_empty) {
    y._M_next = y._M_prev = &y;
  } else {
    join(&y, first);
    join(last, &y);
  }
}

static const unsigned long primes[] = {
    1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109,
    113, 127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439,
    467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879,
    2029, 2179, 2357, 2549, 2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517,
    8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267,
    28411, 30727, 33223, 35933, 38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203,
    99733, 107897, 116731, 126271, 136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261,
    299951, 324503, 351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049, 834181,
    902483, 976369, 1056323, 1142821, 1236397, 1337629, 1447153, 1565659, 1693859, 1832561, 1982627, 2144977,
    2320627, 2510653, 2716249, 2938679, 3179303, 3439651, 3721303, 4026031, 4355707, 4712381, 5098259, 5515729,
    5967347, 6456007, 6984629, 7556579, 8175383, 8844859, 9569143, 10352717, 11200489, 12117689, 13109983, 14183539,
    15345007, 16601593, 17961079, 19431899, 21023161, 22744717, 24607243, 26622317, 28802401, 31160981, 33712729,
    36473443, 39460231, 42691603, 46187573, 49969847, 54061849, 58488943, 63278561, 68460391, 74066549, 80131819,
    86693767, 93793069, 101473717, 109783337, 118773397, 128499677, 139022417, 150406843, 162723577, 176048909,
    190465427, 206062531, 222936881, 241193053, 260944219, 282312799, 305431229, 330442829, 357502601, 386778277,
    418451333, 452718089, 489790921, 529899637, 573292817, 620239453, 671030513, 725980837, 785430967, 849749479,
    919334987, 994618837, 1076067617, 1164186217, 1259520799, 1362662261, 1474249943, 1594975441, 1725587117,
    1866894511, 2019773507, 2185171673, 2364114217, 2557710269, 2767159799, 2993761039, 3238918481, 3504151727,
    3791104843, 4101556399, 4294967291, 6442450933, 8589934583, 12884901857, 17179869143, 25769803693,
};

static const unsigned long last_prime = sizeof primes / sizeof primes[0] - 1;

static unsigned long whole(double x) noexcept {
  return x >= 18446744073709551616.0 ? -1ul : (unsigned long)x;
}

struct Answer {
  bool first;
  unsigned long second;
};

struct _Prime_rehash_policy {
  float _M_max_load_factor;
  mutable unsigned long _M_next_resize;

  unsigned long _M_next_bkt(unsigned long n) const;
  Answer need_rehash(unsigned long buckets, unsigned long elements, unsigned long more) const
      __asm__("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
};

// The number of buckets for at least `n`.
unsigned long _Prime_rehash_policy::_M_next_bkt(unsigned long n) const {
  if (n == 0) return 1;
  unsigned long at = 1;
  while (at < last_prime && primes[at] < n) at++;
  unsigned long res = primes[at];
  _M_next_resize = whole(__builtin_floor(res * (double)_M_max_load_factor));
  return res;
}

// Whether there are too many elements for the buckets, and then how many buckets there should be.
Answer _Prime_rehash_policy::need_rehash(unsigned long buckets, unsigned long elements, unsigned long more) const {
  if (elements + more <= _M_next_resize) return {false, 0};
  unsigned long wanted = elements + more;
  // The first elements get room for eleven.
  if (_M_next_resize == 0 && wanted < 11) wanted = 11;
  double least = wanted / (double)_M_max_load_factor;
  if (least >= buckets) {
    unsigned long enough = whole(__builtin_floor(least) + 1), twice = 2 * buckets;
    return {true, _M_next_bkt(enough > twice ? enough : twice)};
  }
  _M_next_resize = whole(__builtin_floor(buckets * (double)_M_max_load_factor));
  return {false, 0};
}

}  // namespace __detail

static unsigned long mixed(unsigned long x) noexcept { return x ^ x >> 47; }

// MurmurHash64A of Austin Appleby, with another beginning.
unsigned long _Hash_bytes(const void *data, unsigned long size, unsigned long seed) {
  const unsigned long factor = 0xc6a4a7935bd1e995;
  const unsigned char *at = (const unsigned char *)data;
  unsigned long hash = seed ^ size * factor, rest = size & 7;
  for (const unsigned char *end = at + (size - rest); at != end; at += 8) {
    unsigned long word;
    __builtin_memcpy(&word, at, 8);
    hash = (hash ^ mixed(word * factor) * factor) * factor;
  }
  if (rest) {
    unsigned long word = 0;
    for (unsigned long i = 0; i < rest; i++) word |= (unsigned long)at[i] << 8 * i;
    hash = (hash ^ word) * factor;
  }
  return mixed(mixed(hash) * factor);
}

// FNV-1a.
unsigned long _Fnv_hash_bytes(const void *data, unsigned long size, unsigned long hash) {
  const unsigned char *at = (const unsigned char *)data;
  for (; size; size--) hash = (hash ^ *at++) * 1099511628211ul;
  return hash;
}

template <typename T>
struct allocator {
  allocator() noexcept;
  allocator(const allocator &) noexcept;
  ~allocator();
};

template <typename T>
allocator<T>::allocator() noexcept {}
template <typename T>
allocator<T>::allocator(const allocator &) noexcept {}
template <typename T>
allocator<T>::~allocator() {}

template struct allocator<char>;
template struct allocator<wchar_t>;

}  // namespace std

extern "C" {
// One thread.
extern char __libc_single_threaded;
char __libc_single_threaded = 1;
}
