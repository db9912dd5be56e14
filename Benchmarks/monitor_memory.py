"""Runs the monitor over a scenario of an hour against a small registry and samples its resident memory each minute.

Usage: monitor_memory.py MONITOR SCENARIO [OTHERS]. The scenario is played at 30 times normal speed, so an hour of it
takes two minutes here. OTHERS: the number of identities on the missing list in addition to the scenario's. ownAtEnd
(RssAnon) has a goal: at most 12,000 kB with 1,000,000 others. Started by run-busy-street.sh.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from small_registry import Registry

MONITOR, SCENARIO = sys.argv[1:3]
OTHERS = int(sys.argv[3]) if len(sys.argv) > 3 else 0
SPEED = 30
beacons = pathlib.Path(SCENARIO).read_text().split("- name:")[1:]
MISSING = [re.search(r"identity: (\S+)", b)[1] for b in beacons if "missing: true" in b]


def kilobytes(pid, field):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    found = re.search(rf"^{field}:\s+(\d+)", status, re.MULTILINE)
    return int(found[1]) if found else None


def main():
    registry = Registry(MISSING, OTHERS)
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder, "token")
        token.write_text("benchmark")
        settings = pathlib.Path(folder, "monitor.yaml")
        settings.write_text(
            f"registry:\n  url: http://127.0.0.1:{registry.server_port}\n"
            f"station:\n  tokenFile: {token}\nstate: {folder}\nstatus:\n  socket: {folder}/status.sock\n"
            "log:\n  level: warning\n"
        )
        monitor = subprocess.Popen(
            [MONITOR, "--config", settings, "--simulate", SCENARIO, "--speed", str(SPEED)], stderr=sys.stderr
        )
        samples, peak, own, start = [], 0, 0, time.monotonic()
        while monitor.poll() is None:
            resident = kilobytes(monitor.pid, "VmRSS")
            if resident:
                samples.append(resident)
                peak = kilobytes(monitor.pid, "VmHWM") or peak
                own = kilobytes(monitor.pid, "RssAnon") or own
            time.sleep(max(0, start + len(samples) * 60 / SPEED - time.monotonic()))
    if monitor.returncode != 0 or not registry.reports:
        sys.exit(f"the monitor ended with {monitor.returncode} after {registry.reports} reports")
    result = {"reports": registry.reports, "minutes": len(samples), "afterFifteenMinutes": samples[15], "end": samples[-1]}
    print(json.dumps(result | {"largest": max(samples), "peak": peak, "ownAtEnd": own}))


main()
