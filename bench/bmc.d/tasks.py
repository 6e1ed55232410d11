"""Task sets of others, each task with its program, what is checked, and the expected verdict.

Knows: `test.desc` of ESBMC and 2LS, the YAML tasks of SV-COMP as CPAchecker has them, our own corpus. Never: a tool.

What has no counterpart is left out, with its reason: threads, leaks, termination, automata.
"""

import pathlib
import re
import subprocess
from dataclasses import dataclass, field

from tools import ALL, ARITHMETIC, ASSERTIONS, MEMORY


@dataclass
class Task:
    name: str
    file: pathlib.Path
    expected: str
    checked: list
    # Why the expected verdict may be the test's own, or is not what C says.
    doubt: str = ""
    # The bound up to which loops are unwound, where the expected verdict rests on it: no bug within it, or that it is not
    # enough. The tool gets the same.
    bound: int = 0
    # Its authors ask for a proof by induction.
    inductive: bool = False
    # Allocations can fail.
    fails: bool = False
    entry: str = ""
    # Written for us: storage that was never written is no input there.
    own: bool = False
    compiler: list = field(default_factory=list)
    # Kind and line, where they are known.
    bugs: list = field(default_factory=list)


class LeftOut(Exception):
    pass


LABEL = re.compile(r"(^|[;{}:])(\s*)ERROR\s*:(?!:)", re.M)
FAIL = ('{ extern void __assert_fail(const char *, const char *, unsigned int, const char *); '
        '__assert_fail("ERROR", "", 0, ""); }')
NOT_PLAIN = [("threads", r"\bpthread_|\bthrd_|__ESBMC_atomic|__VERIFIER_atomic"),
             ("address spaces", r"\baddress_space\b"),
             ("ESBMC's functions", r"\besbmc\.h\b"),
             ("ESBMC's functions", r"\b__ESBMC_(?!assume\b|assert\b)\w+|__VERIFIER_nondet_(pointer|memory)")]


def plain(text):
    for name, pattern in NOT_PLAIN:
        if re.search(pattern, re.sub(r"//.*|/\*(?s:.*?)\*/", "", text)):
            raise LeftOut(name)
    main = re.search(r"\bmain\s*\(\s*int\s+(\w+)\s*(?:,[^,()]*?(\w+)\W*)?\)", text)
    if main and any(it and len(re.findall(rf"\b{it}\b", text)) > 1 for it in main.groups()):
        raise LeftOut("arguments of main")
    return text


def prepared(name, file, folder, text):
    """The task's own copy, with what its authors' tool knows without a declaration; lines and folder of the original."""
    head = ""
    known = r"assert\.h|\bassert\s*\([^;{}]*\)\s*\{|define\s+assert\b|void\s+assert\b"
    if re.search(r"\bassert\s*\(", text) and not re.search(known, text):
        head = "#include <assert.h>\n"
    copy = folder / (re.sub(r"\W+", "_", name)[-150:] + ".c")
    head += undeclared(text) + "\n"
    copy.write_text(f'{head}#line 1 "{file}"\n{text}')
    return copy, [f"-I{file.parent}"]


NUMBERS = {
    "int": "int", "uint": "unsigned", "char": "char", "uchar": "unsigned char", "schar": "signed char", "short": "short",
    "ushort": "unsigned short", "long": "long", "ulong": "unsigned long", "longlong": "long long", "bool": "_Bool",
    "ulonglong": "unsigned long long", "size_t": "unsigned long", "unsigned": "unsigned", "u8": "unsigned char",
    "u16": "unsigned short", "u32": "unsigned", "float": "float", "double": "double",
}


def undeclared(text):
    """Declarations of inputs that the task calls without one."""
    res = ""
    for name, kind in sorted(set(re.findall(r"\b((?:__VERIFIER_)?nondet_(\w+))\s*\(\s*\)", text))):
        before = [it.group(0) for it in re.finditer(rf"(\w+)[\s*]+{name}\s*\(\s*(?:void)?\s*\)", text)]
        known = any(not it.startswith(("return", "else", "case")) for it in before)
        if kind in NUMBERS and not known:
            res += f"{NUMBERS[kind]} {name}(void); "
    return res


def checkout(folder, parts, scratch):
    """The folder itself; of a bare git directory, those parts of its newest commit in `scratch`."""
    folder = pathlib.Path(folder).resolve()
    if any((folder / it).exists() for it in parts) or not (folder / "HEAD").exists():
        return folder
    for part in parts:
        # Snapshots can lack large files: what archive wrote until then is taken.
        packed = subprocess.Popen(["git", "--git-dir", folder, "archive", "HEAD", part], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        subprocess.run(["tar", "x", "-C", scratch], stdin=packed.stdout, check=False, stderr=subprocess.DEVNULL)
        packed.stdout.close()
        packed.wait()
    return pathlib.Path(scratch)


def described(folder, statuses):
    """Program, flags and expected verdict of a `test.desc`."""
    lines = (folder / "test.desc").read_text(errors="replace").splitlines()
    if len(lines) < 4 or lines[0].strip() not in statuses:
        raise LeftOut("not core")
    names, patterns = lines[1].split(), "\n".join(lines[3:])
    file = folder / (names[0] if names else "")
    if len(names) != 1 or file.suffix not in (".c", ".i") or not file.exists():
        raise LeftOut("not one C file")
    said = re.search(r"VERIFICATION (FAILED|SUCCESSFUL)", patterns)
    if not said:
        raise LeftOut("no verdict")
    return file, lines[2].split(), "bug" if said.group(1) == "FAILED" else "correct"


# ESBMC's flags that have no meaning for a verdict here, with the number of their arguments.
NEUTRAL = {flag: 0 for flag in """
    --bv --floatbv --no-slice --z3 --boolector --bitwuzla --cvc5 --mathsat --yices --smtlib --force-malloc-success --no-simplify
    --no-propagation --compact-trace --result-only --incremental-bmc --falsification --k-induction --interval-analysis
    --no-unwinding-assertions --partial-loops --quiet --multi-property --no-align-check --64
    --add-symex-value-sets --state-hashing --array-flattener --gcse --goto-unwind --unlimited-goto-unwind --no-library
    --show-cex --little-endian --no-return-value-opt --enable-keep-unsat --bidirectional --simplify-trace --inline
    --unlimited-k-steps --irep2-bodies --irep2-native-body --clang-c-irep2-adjust-only --no-goto-merge --force-realloc-success
    --inlining --std-invariants --heap --intervals --zones --octagons --equalities --arrays --values-refine --context-sensitive
    --havoc --independent-properties --unwinding-assertions --bounds-check-off --slice --all-properties""".split()}
NEUTRAL.update({flag: 1 for flag in """--unwind --k-step --max-k-step --base-k-step --verbosity --context-bound --timeout
    --memlimit --max-inductive-step --context-bound-step""".split()})
SHIFTS = [ARITHMETIC[2], "undefined-behaviour"]
ADDED = {"--overflow-check": [ARITHMETIC[1], *SHIFTS], "--ub-shift-check": SHIFTS, "--signed-overflow-check": ARITHMETIC[1:2],
         "--pointer-check": MEMORY, "--bounds-check": MEMORY[:2], "--div-by-zero-check": ARITHMETIC[:1]}
TAKEN = {"--no-pointer-check": [it for it in MEMORY if not it.startswith("out-of")],
         "--no-bounds-check": [*MEMORY[:2], "index-out-of-bounds"],
         "--no-div-by-zero-check": ARITHMETIC[:1], "--no-vla-size-check": ["array-length"], "--no-assertions": ASSERTIONS}


WAIVED = dict(it.split(maxsplit=1) for it in
              (pathlib.Path(__file__).parent / "waived.txt").read_text().splitlines() if not it.startswith("#"))


def flagged(task, flags, checked):
    """Reads the flags of ESBMC and 2LS into the task."""
    checked, flags = list(checked), list(flags)
    # Without unwinding assertions, what is called correct is so up to the bound; with them, the bound may be the bug.
    unchecked = "--no-unwinding-assertions" in flags or "--partial-loops" in flags
    while flags:
        flag = flags.pop(0)
        name = flag.split("=")[0]
        if name in NEUTRAL:
            value = flag.partition("=")[2] or "".join(flags[:1])
            if "=" not in flag:
                del flags[: NEUTRAL[name]]
            if name == "--unwind" and unchecked == (task.expected == "correct") and value.isdigit():
                task.bound = int(value)
            task.inductive |= name == "--k-induction"
        elif name in ADDED:
            checked += ADDED[name]
            # C's rules for the left operand are clang's to check.
            task.compiler += ["-fsanitize=shift"] if SHIFTS[0] in ADDED[name] else []
        elif name in TAKEN:
            checked = [it for it in checked if it not in TAKEN[name]]
        elif name == "--function" and flags:
            task.entry = flags.pop(0)
        elif name == "--32":
            raise LeftOut("32 bits")
        elif re.match(r"-(D|I|std)", flag):
            task.compiler.append(flag)
            if flag in ("-D", "-I") and flags:
                task.compiler[-1] += flags.pop(0)
        else:
            raise LeftOut(f"flag {name}")
    task.checked = checked
    return task


def esbmc(root, scratch):
    parts = [root / "regression" / it for it in ("esbmc", "k-induction", "floats", "floats-regression")]
    for folder in sorted(it.parent for part in parts for it in part.glob("*/test.desc")):
        name = f"{folder.parent.name}/{folder.name}"
        try:
            file, flags, expected = described(folder, ["CORE"])
            copy, compiler = prepared(name, file, scratch, plain(file.read_text(errors="replace")))
            task = Task(name, copy, expected, [], compiler=compiler)
            text = copy.read_text()
            task.fails = "--force-malloc-success" not in flags and bool(re.search(r"\b(m|c|re)alloc\b", text))
            if expected == "correct" and "#pragma unroll" in text:
                task.doubt = "bound"
            checked = [*MEMORY, *ASSERTIONS, ARITHMETIC[0], "array-length", "index-out-of-bounds", "undefined-behaviour",
                       "stack-overflow"]
            task = flagged(task, flags, checked)
            # An index beyond an array that lies within its object is clang's to check, and so is alignment.
            task.compiler += ["-fsanitize=array-bounds"] if "index-out-of-bounds" in task.checked else []
            task.compiler += [] if "--no-align-check" in flags else ["-fsanitize=alignment"]
            yield task
        except LeftOut as why:
            yield name, str(why)


def two_ls(root, scratch):
    skipped = ["termination", "nontermination", "preconditions", "instrumentation", "graphml"]
    for folder in sorted(it.parent for it in (root / "regression").glob("*/*/test.desc")):
        name = f"2ls/{folder.parent.name}/{folder.name}"
        if folder.parent.name in skipped:
            continue
        try:
            file, flags, expected = described(folder, ["CORE", "THOROUGH"])
            copy, compiler = prepared(name, file, scratch, plain(file.read_text(errors="replace")))
            task = Task(name, copy, expected, [], compiler=compiler)
            yield flagged(task, flags, ASSERTIONS)
        except LeftOut as why:
            yield name, str(why)


PROPERTIES = {"unreach-call.prp": ASSERTIONS, "unreach-label.prp": ASSERTIONS, "assert.prp": ASSERTIONS,
              "Assertion.spc": ASSERTIONS, "valid-memsafety.prp": MEMORY, "no-overflow.prp": ARITHMETIC[1:2]}


def yaml_properties(text):
    """(property file, expected verdict, subproperty) of a task; comments are lines of their own."""
    lines = [it for it in text.splitlines() if not it.lstrip().startswith("#")]
    for part in re.split(r"property_file:", "\n".join(lines))[1:]:
        file = part.splitlines()[0].strip().strip("'\"")
        expected = re.search(r"expected_verdict: *(\w+)", part)
        sub = re.search(r"sub-?property: *([\w-]+)", part)
        yield file.rsplit("/", 1)[-1], expected and expected.group(1), sub and sub.group(1)


def sv_comp(root, scratch):
    for yaml in sorted((root / "test/programs").rglob("*.yml")):
        text, base = yaml.read_text(errors="replace"), str(yaml.relative_to(root / "test/programs"))[:-4]
        found = re.search(r"^input_files: *(?:-\s*)?['\"]?([^'\"\n]+)", text, re.M)
        file = yaml.parent / (found.group(1).strip() if found else "")
        for prop, expected, sub in yaml_properties(text):
            name = f"{base}:{prop.split('.')[0]}"
            try:
                if file.suffix not in (".c", ".i") or not file.is_file():
                    raise LeftOut("not one C file")
                if prop not in PROPERTIES or expected not in ("true", "false"):
                    raise LeftOut(f"property {prop}")
                if sub in ("valid-memtrack", "valid-memcleanup"):
                    raise LeftOut("leaks")
                if prop == "valid-memsafety.prp" and expected == "false" and sub is None:
                    raise LeftOut("memory safety without its part")
                source = plain(file.read_text(errors="replace"))
                if prop == "unreach-call.prp" and not re.search(r"\breach_error\s*\(", source):
                    raise LeftOut("no call of reach_error")
                by_label = PROPERTIES[prop] is ASSERTIONS and prop != "unreach-call.prp"
                if by_label and not re.search(r"\bERROR\s*:|error\s*\(|assert\w*\s*\(", source):
                    raise LeftOut("no label")
                # Both tools run with 64 bits: CBMC's preprocessor has no headers of 32, CPAchecker's default.
                without = re.sub(r"alloc *\([\w ]*\)", "", source)
                if not re.search(r"data_model: *LP64", text) and re.search(r"\blong\b", without):
                    raise LeftOut("32 bits")
                if by_label:
                    source = LABEL.sub(lambda it: f"{it.group(1)}{it.group(2)}ERROR: {FAIL}", source)
                # The call is the error, whatever the function does.
                source = re.sub(r"(\breach_error\s*\(\s*(?:void)?\s*\)\s*\{)", rf"\1 {FAIL}", source)
                copy, compiler = prepared(name, file, scratch, source)
                verdict = "correct" if expected == "true" else "bug"
                yield Task(name, copy, verdict, PROPERTIES[prop], compiler=compiler)
            except LeftOut as why:
                yield name, str(why)


def corpus(root):
    for file in sorted(root.rglob("*.c")):
        text = file.read_text()
        verdict = re.search(r"^//@ verdict: (\w+)", text, re.M).group(1)
        lines = enumerate(text.splitlines(), 1)
        bugs = [(it.split("//~ bug: ")[1].strip(), line) for line, it in lines if "//~ bug: " in it]
        yield Task(str(file.relative_to(root)), file, verdict, ALL, bugs=bugs, own=True)


def read(folder, scratch):
    """Tasks, and names with reasons of those that are left out, of any of the sets."""
    for task in of_set(checkout(folder, ["regression", "test/programs"], scratch), scratch):
        if isinstance(task, Task) and task.name in WAIVED:
            task.doubt = WAIVED[task.name]
        yield task


def of_set(root, scratch):
    if (root / "regression/esbmc").is_dir():
        return esbmc(root, pathlib.Path(scratch))
    if (root / "regression/kiki").is_dir():
        return two_ls(root, pathlib.Path(scratch))
    if (root / "test/programs").is_dir():
        return sv_comp(root, pathlib.Path(scratch))
    raise SystemExit(f"{root}: neither ESBMC's, 2LS's nor CPAchecker's tasks")
