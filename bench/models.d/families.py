"""The programs that `bench/models` measures: families of executed `.oo` programs, each of which grows with a size n.

Knows: texts of programs, which sizes are worth measuring. Never: how they are run, what came out.
"""

from dataclasses import dataclass
from typing import Callable, Sequence


@dataclass(frozen=True)
class Family:
    """Programs of one kind; `text(n)` is the one of size n."""

    name: str
    title: str
    size: str
    text: Callable[[int], str]
    sizes: Sequence[int]
    quick: Sequence[int]


def array_sum(n: int) -> str:
    return f"""\
// The sum of an array of at most {n} elements, of any length and contents; then one test of the sum.
nat -> int a;
int n, s, i, r;
assume 0 <= n <= {n};
|a| = n;
s := 0;
i := 0;
while i < |a| {{
  assume i < {n};
  s := s + a[i];
  i := i + 1
}};
if s > 0 {{ r := 1 }} {{ r := 0 }}
"""


def sort(n: int) -> str:
    return f"""\
// Insertion sort of {n} elements of any value; then every pair of neighbours is in order.
nat -> int a;
int i, j, v, k;
|a| = {n};
i := 1;
while i < {n} {{
  v := a[i];
  j := i - 1;
  while j >= 0 && a[j] > v {{
    a[j + 1] := a[j];
    j := j - 1
  }};
  a[j + 1] := v;
  i := i + 1
}};
k := 0;
while k + 1 < {n} {{
  assert a[k] <= a[k + 1];
  k := k + 1
}}
"""


def names(prefix: str, n: int) -> list[str]:
    return [f"{prefix}{it}" for it in range(1, n + 1)]


def index(n: int) -> str:
    updates = "\n".join(f"a[{it}] := {at};" for at, it in enumerate(names("i", n), 1))
    tests = "\n".join(f"if x = {it} {{ r := r + {it} }} {{ skip }};" for it in range(1, n + 1))
    return f"""\
// {n} updates of an unbounded array at symbolic indices; which of them is seen at the symbolic index p?
int -> int a;
int {", ".join(names("i", n))};
int p, x, r;
{updates}
x := a[p];
{tests}
skip
"""


def swaps(n: int) -> str:
    steps = "\n".join(
        f"t := a[i{it}]; a[i{it}] := a[j{it}]; a[j{it}] := t;" for it in range(1, n + 1)
    )
    return f"""\
// {n} exchanges of two elements at symbolic indices: what is read later depends on every earlier one.
int -> int a;
int {", ".join(names("i", n))};
int {", ".join(names("j", n))};
int p, q, t, r;
{steps}
if a[p] < a[q] {{ r := 1 }} {{ r := 2 }};
if a[p] = a[i1] {{ r := r + 2 }} {{ skip }}
"""


def reverse(n: int) -> str:
    return f"""\
// A list of at most {n} nodes is reversed in place. Nodes may be shared, the list may be a lasso.
class Node {{ int value; Node next }}
Node l, r, t;
int n;
n := 0;
r := nil;
while l != nil {{
  assume n < {n};
  t := l.next;
  l.next := r;
  r := l;
  l := t;
  n := n + 1
}}
"""


def reverse_twice(n: int) -> str:
    return f"""\
// A list whose reversal takes at most {n} steps is reversed twice: the second time takes as many, and gives l again.
class Node {{ int value; Node next }}
Node l, first, r, t;
int n, m;
first := l;
n := 0;
r := nil;
while l != nil {{
  assume n < {n};
  t := l.next;
  l.next := r;
  r := l;
  l := t;
  n := n + 1
}};
l := r;
r := nil;
m := 0;
while l != nil && m <= {n} {{
  t := l.next;
  l.next := r;
  r := l;
  l := t;
  m := m + 1
}};
assert m = n;
assert r = first
"""


def sorted_insert(n: int) -> str:
    return f"""\
// A new node goes into a list, behind at most {n} nodes with a smaller value. Nodes may be shared.
class Node {{ int value; Node next }}
Node l, at, fresh;
int x, n;
fresh := new Node;
fresh.value := x;
if l = nil || x <= l.value {{
  fresh.next := l;
  l := fresh
}} {{
  at := l;
  n := 0;
  while at.next != nil && at.next.value < x {{
    assume n < {n};
    at := at.next;
    n := n + 1
  }};
  fresh.next := at.next;
  at.next := fresh;
  assert at.value < x && at.next.value = x
}}
"""


def cycle(n: int) -> str:
    return f"""\
// The tortoise and the hare look for a cycle, for {n} steps of the tortoise.
class Node {{ Node next }}
Node l, slow, fast;
bool found;
int n;
found := false;
slow := l;
fast := l;
n := 0;
while !found && fast != nil && fast.next != nil && n < {n} {{
  slow := slow.next;
  fast := fast.next.next;
  found := slow = fast;
  n := n + 1
}};
if found {{ assert slow.next != nil }} {{ skip }}
"""


TREE = """\
class Tree {{
  int key; Tree left, right;
  void insert({parameters}) {{
    {before}if (k < key) {{
      if (left = nil) {{ left := new Tree; left.key := k; }} else {{ left.insert({arguments}); }}
    }} else {{
      if (right = nil) {{ right := new Tree; right.key := k; }} else {{ right.insert({arguments}); }}
    }}
  }}
}}
"""


def tree(n: int) -> str:
    inserts = "\n".join(f"t.insert(k{it});" for it in range(2, n + 1))
    return (
        f"// {n} keys of any value go into a new binary search tree, by a recursive method.\n"
        + TREE.format(parameters="int k", before="", arguments="k")
        + f"""\
int {", ".join(names("k", n))};
Tree t;
t := new Tree;
t.key := k1;
{inserts}
assert t.key = k1
"""
    )


def tree_input(n: int) -> str:
    return (
        f"// A key goes into a tree of any shape, at depth {n} at most. Subtrees may be shared, the tree may be a graph.\n"
        + TREE.format(parameters="int k, int d", before="assume d > 0;\n    ", arguments="k, d - 1")
        + f"""\
int k;
Tree t;
assume t != nil;
t.insert(k, {n})
"""
    )


def parameters(n: int) -> str:
    formal = names("u", n)
    rest = formal[2:]
    return f"""\
// The least of {n} numbers, by a recursive procedure of {n} parameters that rotates them.
int {", ".join(names("x", n))};
int m;
Least({", ".join("int " + it for it in formal)}, int d) :: {{
  if d = 0 {{ m := u1 }} {{
    if u1 <= u2 {{ Least({", ".join(["u1", *rest, "u2", "d - 1"])}) }} {{ Least({", ".join(["u2", *rest, "u1", "d - 1"])}) }}
  }}
}}
Least({", ".join(names("x", n))}, {n - 1});
assert m <= x1 && m <= x{n}
"""


def aliasing(n: int) -> str:
    exist = "\n".join(f"assume {it} != nil;" for it in names("x", n))
    updates = "\n".join(f"x{it}.f := x{it % n + 1};" for it in range(1, n + 1))
    return f"""\
// {n} variables, any of which may be the same object; {n} updates x_i.f := x_i+1; two comparisons behind them.
class C {{ C f }}
C {", ".join(names("x", n))};
int r;
{exist}
{updates}
if x1.f = x2 {{ r := 1 }} {{ r := 2 }};
if x1.f.f = x{min(3, n)} {{ r := r + 2 }} {{ skip }}
"""


def chase(n: int) -> str:
    steps = ["x.f := y;", "y.f := z.f;", "z.f := x.f.f;"]
    updates = "\n".join(steps[it % 3] for it in range(n))
    chain = "x" + ".f" * n
    return f"""\
// {n} updates of a field of three objects, any of which may be the same; then {n} dereferences in a row.
class C {{ C f }}
C x, y, z, p;
int r;
assume x != nil && y != nil && z != nil;
{updates}
p := {chain};
if p = x {{ r := 1 }} {{ r := 2 }}
"""


def create(n: int) -> str:
    return f"""\
// A list of at most {n} new nodes is built in a loop, then walked and summed up.
class Node {{ int value; Node next }}
Node l, fresh;
int n, i, s, v;
assume 0 <= n <= {n};
l := nil;
i := 0;
while i < n {{
  assume i < {n};
  fresh := new Node;
  fresh.value := v;
  fresh.next := l;
  l := fresh;
  i := i + 1
}};
s := 0;
while l != nil {{
  s := s + l.value;
  l := l.next
}};
assert v = 0 ==> s = 0
"""


def unused(n: int) -> str:
    steps = "\n  ".join(f"p := p * (x{it} + {it});" for it in range(1, n + 1))
    return f"""\
// A product of {n} sums, in a local variable that no test reads; then one test of something else.
int {", ".join(names("x", n))};
int r;
Product() :: {{
  int p := 1;
  {steps}
  skip
}}
Product();
if x1 < x{n} {{ r := 1 }} {{ r := 2 }}
"""


FAMILIES = [
    Family("sum", "array sum, symbolic length", "longest array", array_sum, [2, 4, 8, 16, 32, 64, 128, 256, 512], [2, 4, 8]),
    Family("sort", "insertion sort", "elements", sort, [2, 3, 4, 5, 6, 7], [2, 3, 4]),
    Family("index", "updates at symbolic indices", "updates", index, [2, 4, 8, 16, 32, 64, 128], [2, 4]),
    Family("swaps", "exchanges at symbolic indices", "exchanges", swaps, [1, 2, 4, 8, 12, 16, 24, 32], [1, 2]),
    Family("reverse", "list reversal, any aliasing", "longest list", reverse, [1, 2, 4, 6, 8, 12, 16, 24, 32, 48], [1, 2, 6]),
    Family("twice", "list reversed twice", "longest reversal", reverse_twice, [1, 2, 4, 6, 8, 12, 16, 24], [1, 2]),
    Family("insert", "insertion into a sorted list", "nodes passed", sorted_insert, [1, 2, 4, 8, 16, 32, 64, 128], [1, 2, 4]),
    Family("cycle", "tortoise and hare", "steps", cycle, [1, 2, 4, 8, 16, 32, 64], [1, 2, 4]),
    Family("tree", "keys into a new tree", "keys", tree, [2, 3, 4, 5, 6, 7], [2, 3]),
    Family("graph", "key into any tree", "greatest depth", tree_input, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3]),
    Family("parameters", "recursion with n parameters", "parameters", parameters, [2, 4, 6, 8, 10, 12, 14], [2, 4]),
    Family("aliasing", "n objects, n field updates", "objects", aliasing, [2, 4, 8, 16, 32, 64, 128], [2, 4]),
    Family("chase", "n updates of 3 objects, n dereferences", "updates", chase, [1, 2, 4, 8, 12, 16, 24, 32], [1, 2]),
    Family("create", "new objects in a loop", "most objects", create, [2, 4, 8, 16, 32, 64, 128, 256], [2, 4, 8]),
    Family("unused", "a value that no test reads", "factors", unused, [2, 4, 8, 16, 32, 64, 128, 256], [2, 4]),
]
