#!/usr/bin/env python3
"""CrossHair on each function of seeded.py: what it finds, how long it takes, how many paths it makes.

    bench/seeded.d/crosshair_run.py

needs:    the Python package crosshair-tool: python3 -m venv ~/bench && ~/bench/bin/pip install crosshair-tool, and then
          ~/bench/bin/python bench/seeded.d/crosshair_run.py
takes:    at most a minute for each of ten functions
example:  bench/seeded.d/crosshair_run.py
"""

import collections
import pathlib
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "common")]

import script  # noqa: E402
import seeded  # noqa: E402

script.parser(__doc__).parse_args()
script.require(script.package("crosshair"))

from crosshair.core_and_libs import analyze_function, run_checkables  # noqa: E402
from crosshair.options import AnalysisKind, AnalysisOptionSet  # noqa: E402

NAMES = "average negated divided largest counted magic header checksum leap root".split()

print("| bug | CrossHair: found | ms | paths |")
print("|---|---|---|---|")
paths, total = 0, 0.0
for name in NAMES:
    stats = collections.Counter()
    options = AnalysisOptionSet(
        analysis_kind=[AnalysisKind.asserts], per_condition_timeout=60, per_path_timeout=20, stats=stats
    )
    start = time.perf_counter()
    messages = run_checkables(analyze_function(getattr(seeded, name), options))
    took = (time.perf_counter() - start) * 1e3
    found = [it.message.replace("\n", " ") for it in messages if it.state.name in ("POST_FAIL", "EXEC_ERR", "PRE_UNSAT")]
    print(f"| {name} | {found[0] if found else 'no'} | {took:.0f} | {stats['num_paths']} |", flush=True)
    paths, total = paths + stats["num_paths"], total + took
print(f"\n{paths} paths in {total:.0f} ms: {paths / total * 1e3:.1f} paths a second")
