"""A monitor that reads captures of a busy street, as fast as it can, with a missing list of a million identities."""

import pathlib
import re
import subprocess
import tempfile

BENCHMARKS = pathlib.Path(__file__).resolve().parents[1]
STREET = BENCHMARKS.parent / "config/scenarios/dense-street.yaml"
SECONDS = (30, 90)
OTHERS = 1_000_000


def make_capture(folder, findmybike, seconds):
    """Returns the capture's path and its number of adverts."""
    scenario, capture = folder / f"street-{seconds}.yaml", folder / f"street-{seconds}.btsnoop"
    # Those that ride past do it too late.
    street = re.sub(r"  - name: .*\n(?:    .*\n)*?    path:\n(?:      .*\n)*\n", "", STREET.read_text(encoding="utf-8"))
    scenario.write_text(re.sub(r"(?m)^duration: .*", f"duration: {seconds}s", street), encoding="utf-8")
    subprocess.run([findmybike, "simulate", scenario, "--output", capture], check=True, stdout=subprocess.DEVNULL)
    summary = subprocess.run(
        [findmybike, "scan", "--replay", capture, "--speed", "max"], check=True, capture_output=True, text=True).stdout
    return capture, int(re.search(r"(\d[\d,]*) reports", summary)[1].replace(",", ""))


def write_settings(folder, registry, more=""):
    """Settings of a monitor whose files are in this folder."""
    (folder / "token").write_text("benchmark", encoding="utf-8")
    (folder / "token").chmod(0o600)
    settings = folder / "monitor.yaml"
    settings.write_text(
        f"registry:\n  url: http://127.0.0.1:{registry.server_port}\nstation:\n  tokenFile: {folder}/token\n"
        f"state: {folder}\nlog:\n  level: warning\n{more}", encoding="utf-8")
    return settings


def instructions_per_advert(captures, run):
    """The cost of the adverts that the longer capture has more: `run` returns the instructions of a monitor with a folder
    for its files and these arguments."""
    totals = []
    for capture, _ in captures:
        with tempfile.TemporaryDirectory() as folder:
            totals.append(run(pathlib.Path(folder), ["--replay", capture, "--speed", "max"]))
    return (totals[1] - totals[0]) / (captures[1][1] - captures[0][1])
