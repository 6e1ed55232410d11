"""Packages by their ordinary clients: sources and programs of a Debian suite, sources of a crate.

Knows: apt-get with folders of its own, so that nothing of the system is changed; cargo vendor. The archive is the one
from which this machine gets its packages, so that a mirror is used where one is configured.
Never: hosts; what the packages are for.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile


class Unavailable(Exception):
    """A package cannot be had; the text says why."""


def run(command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", **more)
    if done.returncode:
        raise Unavailable(f"{' '.join(map(str, command[:1]))}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


def archive_of(listing):
    """The Debian archive among what `apt-get update --print-uris` would fetch, lines that begin with 'URI/dists/SUITE/…'."""
    found = [(uri, suite) for uri, suite in re.findall(r"^'(\S+?)/+dists/([\w.]+)/InRelease'", listing, re.M)
             if re.search(rf"^'{re.escape(uri)}/+dists/{re.escape(suite)}/main/", listing, re.M)]
    # Vendors have a folder of this name, too, but not at the root of their host. A company's mirror may have any name, but
    # keeps that of the suite.
    release = pathlib.Path("/etc/os-release").read_text() if pathlib.Path("/etc/os-release").exists() else ""
    suites = [*re.findall(r"^VERSION_CODENAME=(\S+)", release, re.M), "stable"] if "ID=debian" in release.split() else []
    named = [uri for uri, _ in found if re.fullmatch(r"[\w+]+:(//[^/]*)?/debian", uri)]
    named += [uri for uri, _ in found if uri.endswith("/debian")] + [uri for uri, suite in found if suite in suites]
    if not named:
        raise Unavailable("no Debian archive in /etc/apt/sources.list and /etc/apt/sources.list.d: add one")
    return named[0]


class Apt:
    """apt-get for one suite, with its lists and its cache in `folder`."""

    def __init__(self, folder, suite):
        self.folder, self.suite, self.updated = pathlib.Path(folder), suite, False

    def __call__(self, *arguments, **more):
        at = self.folder
        options = {"Dir::State": at / "state", "Dir::State::status": at / "status", "Dir::Cache": at / "cache",
                   "Dir::Etc::sourcelist": at / "sources.list", "Dir::Etc::sourceparts": at / "none",
                   "Dir::Etc::preferences": at / "none/preferences", "Dir::Etc::preferencesparts": at / "none",
                   "APT::Sandbox::User": "root"}
        given = [it for name, value in options.items() for it in ("-o", f"{name}={value}")]
        return run(["apt-get", "-q", *given, *arguments], **more)

    def update(self):
        """Fetches the lists, once for each process: the suite may have moved on since the last one."""
        if self.updated:
            return
        for it in ("state/lists/partial", "cache/archives/partial", "none"):
            (self.folder / it).mkdir(parents=True, exist_ok=True)
        (self.folder / "status").touch()
        own = ["-o", f"Dir::State={self.folder / 'state'}"]
        archive = archive_of(run(["apt-get", *own, "update", "--print-uris"]))
        key = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")
        signed = f"[signed-by={key}] " if key.exists() else ""
        lines = [f"{kind} {signed}{archive} {self.suite} main\n" for kind in ("deb", "deb-src")]
        (self.folder / "sources.list").write_text("".join(lines))
        self("update")
        self.updated = True

    def source(self, package, folder, version=None):
        """Unpacks the upstream sources of `package` into `folder`, without Debian's patches; checks their version."""
        self.update()
        with tempfile.TemporaryDirectory(dir=self.folder) as room:
            self("source", "--download-only", "--tar-only", package, cwd=room)
            archives = [it for it in pathlib.Path(room).glob("*.orig.tar.*") if it.suffix != ".asc"]
            if not archives:
                raise Unavailable(f"{package}: no upstream sources in {self.suite}")
            has = archives[0].name.split("_", 1)[1].split(".orig.tar", 1)[0]
            if version not in (None, has):
                raise Unavailable(f"{package}: {self.suite} has {has}, not {version}")
            replaced(folder)
            run(["tar", "-xf", archives[0], "-C", folder, "--strip-components=1", "--no-same-owner"])

    def programs(self, packages, folder):
        """Unpacks binary packages into `folder`."""
        self.update()
        with tempfile.TemporaryDirectory(dir=self.folder) as room:
            self("download", *packages, cwd=room)
            replaced(folder)
            for it in pathlib.Path(room).glob("*.deb"):
                run(["dpkg", "-x", it, folder])


def crate(name, version, folder):
    """Copies the sources of a published crate into `folder`: a manifest that is thrown away depends on it."""
    with tempfile.TemporaryDirectory() as room:
        room = pathlib.Path(room)
        (room / "src").mkdir()
        (room / "src/lib.rs").touch()
        (room / "Cargo.toml").write_text(
            "[package]\nname = \"thrown-away\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n"
            f"[dependencies]\n{name} = \"={version}\"\n")
        run(["cargo", "vendor", "--quiet", "vendor"], cwd=room)
        replaced(folder)
        shutil.copytree(room / "vendor" / name, folder, dirs_exist_ok=True)


def replaced(folder):
    """An empty folder, whatever was there."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
