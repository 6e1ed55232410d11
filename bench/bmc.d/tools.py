"""effigy and CBMC with one interface: a task in, a verdict out.

Knows: flags and outputs of `effigy run`, `effigy bmc` and `cbmc`. Never: what is expected.

A verdict is `correct`, `bug` (with the kinds and lines that are told), `bounded`, `unknown` or `error` (the program is
refused).
"""

import json
import pathlib
import re
import tempfile
from dataclasses import dataclass, field

from limited import run

MEMORY = ["out-of-bounds-read", "out-of-bounds-write", "null-dereference", "use-after-free", "use-after-scope",
          "wild-pointer", "write-to-constant", "double-free", "invalid-free", "alloc-dealloc-mismatch",
          "overlapping-copy", "bad-call"]
ASSERTIONS = ["assertion-failed", "reported"]
ARITHMETIC = ["division-by-zero", "signed-overflow", "shift-too-large"]
OTHERS = ["abort", "array-length", "uninitialised-value", "unreachable-reached", "stack-overflow"]
ALL = MEMORY + ASSERTIONS + ARITHMETIC + OTHERS
# The bounds of CBMC's wrapper for SV-COMP, each tried without and then with unwinding assertions.
LADDER = [2, 6, 12, 17, 21, 40, 200, 400, 1025, 2049]


@dataclass
class Outcome:
    verdict: str
    bugs: list = field(default_factory=list)
    cpu: float = 0.0
    megabytes: float = 0.0
    note: str = ""


class Effigy:
    """What `run` and `bmc` share."""

    looks_for = set(ALL)

    def __init__(self, binary):
        self.binary = binary

    def flags(self, task):
        entry = ["--entry", task.entry] if task.entry else []
        # Without it, a path that uses an uninitialised pointer would end in silence.
        kept = [*task.checked, "uninitialised-value"]
        # Who wrote the tasks takes storage that was never written, and what unknown functions return, for inputs.
        content = [] if task.own else ["--uninitialised", "input", "--pure-externals"]
        content += ["--malloc-may-fail"] if task.fails else []
        return entry + content + [it for kind in ALL if kind not in kept for it in ("--no-check", kind)]

    @staticmethod
    def counts(task, bug):
        """Whether a bug is one of those asked for: an access through an uninitialised pointer is one of memory."""
        access = "address" in str(bug.get("message", "")) and "null-dereference" in task.checked
        return bug["kind"] in task.checked or bug["kind"] == "uninitialised-value" and access

    def ask(self, task, command, seconds):
        # Seconds of wall time are the command's own limit: it says what it found until then.
        said = run([*command, *self.flags(task), "--max-time", f"{seconds}s", "--json", task.file,
                    "--", "-w", "-Wno-error", "-Wno-error=return-type", "-D__CPROVER_bool=_Bool", *task.compiler], 2 * seconds, 2 * seconds + 10)
        try:
            return said, json.loads(said.out)
        except ValueError:
            lines = said.err.strip().splitlines() or [f"exit code {said.code}"]
            kind = "unknown" if said.late else "error"
            return said, Outcome(kind, [], said.cpu, said.megabytes, lines[0][:200])


class Run(Effigy):
    name = "run"
    more = ["--jobs", "1"]

    def verdict(self, task, seconds):
        with tempfile.TemporaryDirectory(prefix="effigy-bmc-") as out:
            said, report = self.ask(task, [self.binary, "run", *self.more, "--out", pathlib.Path(out) / "out"], seconds)
        if isinstance(report, Outcome):
            return report
        certain = lambda it: self.counts(task, it) and not (
            it.get("possible") or it.get("assumed")
            or it["kind"] != "uninitialised-value" and "undefined" in str(it["path_condition"]))
        bugs = [(it["kind"], it["place"]["line"]) for it in report["bugs"] if certain(it)]
        other = [f'{"possible" if self.counts(task, it) else "beside"} {it["kind"]} {it["place"]["line"]}'
                 for it in report["bugs"] if not certain(it)]
        why = other + [str(it.get("what", it))[:120] if isinstance(it, dict) else str(it)[:120]
                       for it in report["incomplete"] + report["cut"]]
        verdict = "bug" if bugs else "correct" if report["complete"] and not other else "unknown"
        return Outcome(verdict, bugs, said.cpu, said.megabytes, "; ".join(why[:3]))


class Bmc(Effigy):
    name = "bmc"
    more = []

    def flags(self, task):
        return [*super().flags(task), *(["--unwind", task.bound] if task.bound else [])]

    def verdict(self, task, seconds):
        with tempfile.TemporaryDirectory(prefix="effigy-bmc-") as out:
            said, report = self.ask(task, [self.binary, "bmc", *self.more, "--out", pathlib.Path(out) / "out"], seconds)
        if isinstance(report, Outcome):
            return report
        found = [it for it in report["properties"] if it["verdict"] == "bug"]
        certain = {(it["kind"], it["place"]["line"]) for it in report["bugs"] if not (it.get("possible") or it.get("assumed"))}
        bugs = [(it["kind"], it["line"]) for it in found if self.counts(task, it) and (it["kind"], it["line"]) in certain]
        other = [f'{it["verdict"]} {it["kind"]} {it["line"]}' for it in report["properties"]
                 if it["verdict"] != "correct" and (it["kind"], it["line"]) not in bugs]
        missed = list(map(str, report.get("missed", [])))
        other += [str(report.get("stopped") or ""), *missed]
        # Where no run is left, whatever is asked for holds; that we say so is no other verdict. Runs that end in a bug
        # of a class that is not asked for are left out, too: of these nothing is known.
        vacuous = len(missed) == 1 and "drops every path" in missed[0] and not report.get("assumed")
        verdict = "correct" if vacuous and not found else "bug" if bugs else "unknown" if found else report["verdict"]
        return Outcome(verdict, bugs, said.cpu, said.megabytes, "; ".join(it for it in other if it)[:200])


class Asked:
    """What a user would type who knows how the task's authors ask: `bmc` where that is by induction or up to a bound."""

    name = "asked"
    looks_for = set(ALL)

    def __init__(self, binary):
        self.run, self.bmc = Run(binary), Bmc(binary)

    def verdict(self, task, seconds):
        return (self.bmc if task.bound or task.inductive else self.run).verdict(task, seconds)


class Equations(Bmc):
    name = "equations"
    more = ["--encoding", "equations"]


class Merged(Run):
    name = "merged"
    more = ["--merge", "always"]


class Heuristic(Run):
    name = "heuristic"
    more = ["--merge", "heuristic"]


class Cbmc:
    name = "cbmc"
    looks_for = set(ALL) - {"uninitialised-value", "write-to-constant", "overlapping-copy", "alloc-dealloc-mismatch",
                              "stack-overflow"}

    def __init__(self, binary, ladder=None):
        self.binary, self.ladder = binary, ladder or LADDER

    def flags(self, task):
        checked = set(task.checked)
        res = ["--no-standard-checks", "--no-malloc-may-fail", "--object-bits", "11", "--slice-formula", "--stop-on-fail"]
        for flag, kinds in [("--bounds-check", MEMORY[:2]), ("--pointer-check", MEMORY),
                            ("--div-by-zero-check", ARITHMETIC[:1]), ("--signed-overflow-check", ARITHMETIC[1:2]),
                            ("--undefined-shift-check", ARITHMETIC[2:])]:
            res += [flag] if checked & set(kinds) else []
        res += [] if "assertion-failed" in checked else ["--no-assertions"]
        res += ["--function", task.entry] if task.entry else []
        return res + [it for it in task.compiler if it[:2] in ("-D", "-I")]

    def verdict(self, task, seconds):
        spent, most, note = 0.0, 0.0, ""
        text = pathlib.Path(task.file).read_text(errors="replace")
        text = text.replace("__ESBMC_assume", "__CPROVER_assume").replace("__ESBMC_assert", "__CPROVER_assert")
        with tempfile.TemporaryDirectory(prefix="effigy-cbmc-") as folder:
            file = pathlib.Path(folder) / "task.c"
            file.write_text(text)
            for bound in self.ladder:
                for assertions in ("--no-unwinding-assertions", "--unwinding-assertions"):
                    if spent >= seconds:
                        return Outcome("unknown", [], spent, most, f"out of time with {note or 'the smallest bound'}")
                    said = run([self.binary, *self.flags(task), assertions, "--unwind", bound, file], seconds - spent)
                    spent, most, note = spent + said.cpu, max(most, said.megabytes), f"bound {bound}"
                    if said.late:
                        return Outcome("unknown", [], spent, most, f"out of time with {note}")
                    violated = re.search(r"Violated property:\n\s*file (\S+) .*?line (\d+).*\n\s*(.*)", said.out)
                    if said.code == 10 and assertions.startswith("--no"):
                        line, what = (int(violated.group(2)), violated.group(3)) if violated else (0, "")
                        return Outcome("bug", [(what, line)], spent, most, note)
                    if said.code == 0 and not assertions.startswith("--no"):
                        return Outcome("correct", [], spent, most, note)
                    if said.code not in (0, 10):
                        lines = [it for it in (said.out + said.err).splitlines() if it.strip()] or [""]
                        return Outcome("error", [], spent, most, f"exit code {said.code}: {lines[-1][:160]}")
        return Outcome("bounded", [], spent, most, note)
