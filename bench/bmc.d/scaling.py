"""Programs that grow, and the processor time that each tool takes for them.

Knows: the two families of issue 14. Never: which tool should win.
"""

import collections
import pathlib
import tempfile

import chart
from tasks import Task
from tools import ALL, Cbmc

HEAD = """extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <assert.h>
"""


def ifs(n):
    """n independent decisions before an assertion: 2^n paths, one of which would reach n."""
    lines = [f"  if (__VERIFIER_nondet_bool()) sum += {1 + i % 3};" for i in range(n)]
    most = sum(1 + i % 3 for i in range(n))
    return HEAD + "int main(void) {\n  unsigned sum = 0;\n" + "\n".join(lines) + f"\n  assert(sum <= {most});\n  return 0;\n}}\n"


def maximum(n):
    """The maximum of up to n numbers is none of them smaller."""
    return HEAD + f"""int main(void) {{
  int cells[{n}];
  unsigned used = __VERIFIER_nondet_uint();
  __VERIFIER_assume(used > 0 && used <= {n});
  for (unsigned i = 0; i < used; ++i) cells[i] = __VERIFIER_nondet_int();
  int most = cells[0];
  for (unsigned i = 1; i < used; ++i)
    if (cells[i] > most) most = cells[i];
  for (unsigned i = 0; i < used; ++i) assert(cells[i] <= most);
  return 0;
}}
"""


# Family, size, and the bound that CBMC is given: the smallest that is enough.
SIZES = [(ifs, n, 1) for n in (10, 30, 100, 300, 1000)] + [(maximum, n, n + 1) for n in (4, 8, 12, 16)]


def table(tools, seconds, picture=None):
    decided = collections.defaultdict(lambda: {it.name: [] for it in tools})
    print(f"{'program':16}" + "".join(f"{it.name:>24}" for it in tools) + "   (processor seconds, MB)")
    given_up = set()
    for family, n, bound in SIZES:
        cells = []
        with tempfile.TemporaryDirectory(prefix="effigy-scaling-") as folder:
            file = pathlib.Path(folder) / "it.c"
            file.write_text(family(n))
            task = Task(f"{family.__name__} {n}", file, "correct", ALL)
            for tool in tools:
                if (family, tool.name) in given_up:
                    cells.append("-")
                    continue
                it = (Cbmc(tool.binary, [bound]) if tool.name == "cbmc" else tool).verdict(task, seconds)
                cells.append(f"{it.verdict} {it.cpu:.2f} {it.megabytes:.0f}")
                if it.verdict == "correct":
                    decided[family][tool.name].append((n, it.cpu))
                else:
                    given_up.add((family, tool.name))
        print(f"{task.name:16}" + "".join(f"{it:>24}" for it in cells), flush=True)
    if picture:
        titles = {ifs: "n decisions before an assertion", maximum: "the maximum of up to n numbers"}
        picture.write_text(chart.page([chart.lines(titles[it], decided[it]) for it in titles]))
