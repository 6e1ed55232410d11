"""What the Python scripts of bench share: the command line, and what must be there before anything is measured.

Knows: where effigy is built, how a missing program is installed. Never: what is measured.
"""

import argparse
import importlib.util
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The command that is measured, unless the flag --effigy of a script names another.
EFFIGY = os.environ.get("EFFIGY", str(ROOT / "target/release/effigy"))
if os.sep in EFFIGY:
    EFFIGY = os.path.abspath(EFFIGY)

# How a program that was not found is installed.
INSTALL = {
    "afl-fuzz": "sudo apt-get install afl++",
    "apt-get": "packages are fetched on Debian only",
    "cargo": "install Rust (README.md, Install)",
    "clang": "sudo apt-get install clang",
    "csmith": "sudo apt-get install csmith libcsmith-dev",
    "dpkg": "packages are unpacked on Debian only",
    "git": "sudo apt-get install git",
    "java": "sudo apt-get install default-jre-headless",
    "make": "sudo apt-get install make",
    "nm": "sudo apt-get install binutils",
    "redis-cli": "sudo apt-get install redis-tools",
    "z3": "sudo apt-get install z3",
}


def parser(text):
    """A parser of the command line whose help begins with `text`."""
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def effigy(file=EFFIGY):
    """What to say if the command `file` is not there, or `None`."""
    return program(file, "run `cargo build --release`, or name another by EFFIGY")


def program(name, install=None):
    """What to say if the program `name` (a path, or a name in PATH) is not there, or `None`."""
    if shutil.which(str(name)):
        return None
    return f"{name} is missing: {install or INSTALL[str(name)]}"


def file(path, how):
    """What to say if there is no file or folder `path`, or `None`."""
    return None if path and pathlib.Path(path).exists() else f"{path} is missing: {how}"


def package(name):
    """What to say if the Python package `name` cannot be imported, or `None`."""
    if importlib.util.find_spec(name):
        return None
    pip = {"z3": "z3-solver", "crosshair": "crosshair-tool"}.get(name, name)
    return (f"the Python package {name} is missing: python3 -m venv ~/bench && ~/bench/bin/pip install {pip}, and start "
            f"this script by ~/bench/bin/python")


def require(*complaints):
    """Ends the script with code 2 and every complaint, if there is one. To be called before anything is measured."""
    complaints = [it for it in complaints if it]
    if complaints:
        name = os.path.relpath(sys.argv[0])
        print("\n".join(f"{name}: {it}" for it in complaints), file=sys.stderr)
        sys.exit(2)


def only_measured(wanted, complaints):
    """Those of `wanted` without a complaint. Of the others a line says that they are not measured, and why."""
    for name in wanted:
        if complaints.get(name):
            print(f"{name} is not measured: {complaints[name]}", file=sys.stderr, flush=True)
    return [it for it in wanted if not complaints.get(it)]
