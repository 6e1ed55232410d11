"""Runs a command with limits, and says what it took.

Knows: processor time, wall time, memory of a process and of those it waited for. Never: what the command means.
"""

import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Said:
    code: int
    out: str
    err: str
    cpu: float
    megabytes: float
    late: bool


def run(command, cpu, wall=None, gigabytes=6):
    """Ends the command, and what it started, after `cpu` seconds of processor time or `wall` seconds."""
    wall = wall or 3 * cpu + 5
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, gigabytes << 30))
        process = subprocess.Popen([str(it) for it in command], stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=limits)
        begin, late, pause = time.monotonic(), False, 0.002
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - begin > wall and not late:
                late = True
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(0.1, 1.2 * pause)
        # Popen must not wait for it again.
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = [it.read(1 << 29).decode(errors="replace") for it in (out, err)]
        seconds = used.ru_utime + used.ru_stime
        late = late or process.returncode == -signal.SIGXCPU or process.returncode == -signal.SIGKILL and seconds >= cpu
        return Said(process.returncode, *text, seconds, used.ru_maxrss / 1024, late)
