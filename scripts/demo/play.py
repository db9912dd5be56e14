"""Starts a registry, a station and a webhook receiver, lets a missing bike pass, and prints what happens.

Exits 0 only when the owner's alert arrived with a valid signature. Called by scripts/demo.sh.
"""

import argparse
import difflib
import json
import os
import pathlib
import queue
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from receiver import Receiver

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPTURE = ROOT / "Tests/Radio/ScanningTests/Fixtures/legacy_govee_fake_ibeacon.btsnoop"
# A sensor in that capture which pretends to be an iBeacon; ten of its frames were heard in 13 seconds.
IDENTITY = "494E5445-4C4C-495F-524F-434B535F4857:20594:62207"

# Log messages of the programs, and their names in the story.
EVENTS = [
    ("monitor", "beacon heard", "beacon heard"),
    ("monitor", "missing bike matched", "match"),
    ("monitor", "visit began", "visit"),
    ("monitor", "visit ended", "visit ended"),
    ("registry", "sighting stored", "sighting stored"),
    ("registry", "alert delivered", "alert delivered"),
]


# The fields of a log line that the story shows; it leaves out identifiers.
SHOWN = r"\b(?:beacon|frames|attempt|alerts)=\S+|\brssi=\S+ dBm"


# A line of the story, and what differs each time.
STORY = re.compile(r"^ *[\d.]+ s  (\S.*)$", re.MULTILINE)
VARYING = re.compile(r"127\.0\.0\.1:\d+|\d+ \w+ \d{4} at \d\d:\d\d")


class Failure(Exception):
    """What went wrong, for people."""


class Stage:
    """The processes of the demonstration, and the story as it happens."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.processes, self.logs = [], {}
        self.story = []
        self.start_time = time.monotonic()
        self.lock = threading.Lock()

    def tell(self, who, what, detail=""):
        with self.lock:
            elapsed = time.monotonic() - self.start_time
            self.story.append(f"{elapsed:8.3f} s  {who:<9} {what:<16} {detail}".rstrip())
            print(self.story[-1], flush=True)

    def run(self, program, *arguments, **environment):
        """Runs a program to its end and returns what it printed."""
        result = subprocess.run(
            [self.programs / program, *map(str, arguments)], capture_output=True, text=True,
            env=self.environment(environment), timeout=120, check=False)
        if result.returncode != 0:
            raise Failure(f"{program} {' '.join(map(str, arguments))}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout.strip()

    def start(self, name, program, *arguments, **environment):
        """Starts a program and reads its log from now on."""
        process = subprocess.Popen(
            [self.programs / program, *map(str, arguments)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            text=True, env=self.environment(environment))
        self.processes.append((name, process))
        lines = self.logs[name] = queue.Queue()
        threading.Thread(target=self.read, args=(name, process, lines), daemon=True).start()
        return process

    def environment(self, extra):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FINDMYBIKE_")}
        return kept | {"HOME": str(self.folder)} | {name: str(value) for name, value in extra.items()}

    def read(self, name, process, lines):
        with process.stderr, open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            for line in process.stderr:
                log.write(line)
                log.flush()
                lines.put(line)
                for who, message, title in EVENTS:
                    if who == name and re.search(rf"\] {message}$", line.rstrip()):
                        self.tell(name, title, " ".join(re.findall(SHOWN, line)))
        lines.put(None)

    def await_line(self, name, pattern, seconds):
        """Waits for a log line; fails when the program ends or time runs out."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.logs[name].get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise Failure(f"the {name} did not say ‘{pattern}’ within {seconds} s:\n{self.tail(name)}") from None
            if line is None:
                raise Failure(f"the {name} ended early:\n{self.tail(name)}")
            match = re.search(pattern, line)
            if match:
                return match

    def tail(self, name):
        return "".join((self.folder / f"{name}.log").read_text(encoding="utf-8").splitlines(keepends=True)[-12:])

    def stop(self):
        for _, process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for name, process in reversed(self.processes):
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                print(f"the {name} did not stop within 15 s of SIGTERM and was killed", file=sys.stderr)


def play(options, stage, folder):
    """The story, from an empty registry to the owner's alert."""
    receiver = Receiver()
    source = ["--simulate", options.simulate] if options.simulate else ["--replay", CAPTURE]
    identity = identity_in(stage, options.simulate) if options.simulate else IDENTITY
    # A scenario that is played fast ends now and began earlier: the bike must be missing since then.
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 2 * 86_400))
    url = serve_registry(stage, folder, signing_key(stage, folder) if options.partners else "")
    venue, venue_url = folder, url
    if options.partners:
        venue = folder / "partner"
        venue.mkdir()
        venue_url = serve_registry(stage, venue, signing_key(stage, venue), name="partner", station="Bahnhofbuffet")
        become_partners(stage, folder, url, venue, venue_url)
    owner, bike = report_bike(
        stage, folder, url, receiver, identity, *(["--since", since] if options.simulate else []))

    if options.partners:
        await_list(stage, venue, venue_url)
    settings = monitor_settings(venue, venue_url)
    speed = ["--speed", options.speed] if options.speed else []
    monitor = stage.start("monitor", "findmybike-monitor", "--config", settings, *source, *speed)
    stage.tell("monitor", "listening", source[1] if options.simulate else "a capture of a real radio")

    alert = await_alert(receiver, monitor, stage)
    stage.tell("owner", "ALERT", alert["data"]["message"])
    # 1: the scenario has more missing bikes than the one that was registered here.
    if monitor.wait(timeout=options.patience) not in ((0, 1) if options.simulate else (0,)):
        raise Failure(f"the monitor ended with status {monitor.returncode}:\n{stage.tail('monitor')}")
    print()
    print(stage.run("findmybike", "bike", "sightings", bike["id"], **owner))
    if not receiver.alerts.empty():
        raise Failure("more than one alert arrived for one visit")
    if options.like:
        compare(stage.story, options.like)
    if options.keep:
        keep(bike, owner, folder)


def signing_key(stage, folder):
    """Makes a registry's signing key, and returns its setting. Partners sign what they tell each other."""
    stage.run("findmybike-registry", "key", "create", "--key-file", folder / "evidence.key")
    return f"evidence:\n  keyFile: {folder}/evidence.key\n"


def become_partners(stage, home, url, guest, guest_url):
    """Lets the operators of two registries make them partners."""
    invitation = json.loads(stage.run("findmybike", "partner", "invite", "Zürich", "--json", **operator(home, url)))
    address = url.replace("127.0.0.1", "localhost")
    stage.run("findmybike", "partner", "accept", address, invitation["code"], "--name", "Berlin",
              **operator(guest, guest_url))
    stage.tell("operators", "partners", "Berlin and Zürich")


def await_list(stage, guest, guest_url):
    """Waits until the guest's stations search for the home registry's bike."""
    deadline = time.monotonic() + 60
    while True:
        partner = json.loads(stage.run("findmybike", "partner", "show", "Berlin", "--json", **operator(guest, guest_url)))
        if partner.get("list", {}).get("entries"):
            break
        if time.monotonic() > deadline:
            raise Failure("the partner has not read the missing list:\n" + stage.tail("partner"))
        time.sleep(0.2)
    stage.tell("partner", "list read", "Zürich’s stations search for Berlin’s bike")


def operator(folder, url):
    return {"FINDMYBIKE_REGISTRY_URL": url, "FINDMYBIKE_TOKEN_FILE": folder / "operator-token"}


def serve_registry(stage, folder, more="", name="registry", station="Café Sprocket"):
    """Starts an empty registry with these settings too, enrols a station, and returns the registry's address."""
    settings = folder / "registry.yaml"
    # Browsers sign in at an address that the registry knows.
    port = free_port()
    settings.write_text(
        f"listen: 127.0.0.1:{port}\npublicURL: http://localhost:{port}\ndatabase: {folder}/registry.sqlite\n"
        f"identities:\n  given: open\nwebhooks:\n  allowPrivateAddresses: true\n{more}", encoding="utf-8")
    operator_token = folder / "operator-token"
    write_secret(operator_token, stage.run("findmybike-registry", "operator", "create", "--config", settings))
    stage.start(name, "findmybike-registry", "serve", "--config", settings)
    url = "http://" + stage.await_line(name, r"address=(\S+).*\] listening", 60).group(1)
    stage.tell(name, "listening", url)
    stage.run("findmybike", "station", "enrol", "--name", station, "--latitude", 51.50072,
              "--longitude", -0.12463, "--accuracy", 10, "--output", folder / "station-token",
              FINDMYBIKE_REGISTRY_URL=url, FINDMYBIKE_TOKEN_FILE=operator_token)
    stage.tell("operator", "station enrolled", station)
    return url


def report_bike(stage, folder, url, receiver, identity, *when):
    """Makes an owner whose bike with this identity is missing; returns the owner's environment and the bike.

    Without an identity, the bike gets a rotating beacon.
    """
    owner = {"FINDMYBIKE_REGISTRY_URL": url, "FINDMYBIKE_TOKEN_FILE": folder / "owner-token"}
    created = json.loads(stage.run("findmybike", "owner", "create", "--json", **owner))
    write_secret(folder / "recovery-codes", "\n".join(created["recoveryCodes"]))
    bike = json.loads(stage.run(
        "findmybike", "bike", "register", "--kind", "bicycle", "--make", "Brompton", "--model", "C Line",
        "--colour", "green", *(["--identity", identity] if identity else ["--rotating"]), "--json", **owner))
    # The beacon is in a recording: its owner cannot set it to other values, so the operator accepts it as it is.
    if identity:
        stage.run("findmybike", "claim", "accept", bike["id"], identity, **operator(folder, url))
    channel = json.loads(stage.run("findmybike", "channel", "add", "webhook", receiver.url, "--json", **owner))
    receiver.secret = channel["secret"]
    stage.run("findmybike", "bike", "missing", bike["id"], *when, **owner)
    stage.tell("owner", "bike missing", f"{bike['make']} {bike['model']}, beacon {identity or 'rotating'}")
    return owner, bike


def monitor_settings(folder, url, more=""):
    """Writes the settings of the café's monitor."""
    (folder / "monitor").mkdir()
    settings = folder / "monitor.yaml"
    settings.write_text(
        f"registry:\n  url: {url}\nstate: {folder}/monitor\nlog:\n  level: debug\n"
        f"station:\n  tokenFile: {folder}/station-token\n  latitude: 51.50072\n  longitude: -0.12463\n{more}",
        encoding="utf-8")
    return settings


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def write_secret(path, text):
    path.touch(mode=0o600)
    path.write_text(text + "\n", encoding="utf-8")


def identity_in(stage, scenario):
    """The first missing beacon of a scenario."""
    beacons = map(json.loads, stage.run("findmybike", "simulate", scenario, "--json").splitlines())
    for beacon in beacons:
        if beacon["missing"]:
            return beacon["identity"]
    raise Failure(f"no beacon in {scenario} is missing: mark one with “missing: true”")


def await_alert(receiver, monitor, stage):
    """The first verified alert; if the monitor has ended, waits half a minute more for it."""
    grace = None
    while True:
        try:
            return receiver.alerts.get(timeout=0.5)
        except queue.Empty:
            pass
        if not receiver.refusals.empty():
            raise Failure(f"an alert arrived, but {receiver.refusals.get()}")
        if monitor.poll() is not None and grace is None:
            grace = time.monotonic() + 30
        if grace is not None and time.monotonic() > grace:
            raise Failure("no alert arrived. The monitor’s last words:\n" + stage.tail("monitor")
                          + "The registry’s:\n" + stage.tail("registry"))


def compare(story, page):
    """Fails unless the page shows this story. Programs run side by side, so its order does not count."""
    shown, told = (sorted(VARYING.sub("…", line) for line in STORY.findall(text))
                   for text in (page.read_text(encoding="utf-8"), "\n".join(story)))
    if shown != told:
        raise Failure(f"{page} shows another story:\n" + "\n".join(difflib.ndiff(shown, told)))


def keep(bike, owner, folder):
    url = owner["FINDMYBIKE_REGISTRY_URL"]
    # The host name for which the registry signs browsers in.
    page = url.replace("127.0.0.1", "localhost") + f"/my/bikes/{bike['id']}"
    code = (folder / "recovery-codes").read_text(encoding="utf-8").split()[0]
    print(f"\nThe registry runs until Ctrl-C. Open the owner’s page in Chromium or Firefox on this machine:\n\n  {page}\n")
    print(f"Choose ‘Lost your phone? Use a code’ and paste this recovery code, which works once:\n\n  {code}\n")
    print("Or try commands in another terminal:\n")
    print(f"  export FINDMYBIKE_REGISTRY_URL={url} FINDMYBIKE_TOKEN_FILE={owner['FINDMYBIKE_TOKEN_FILE']}")
    print("  findmybike bike list\n")
    print(f"Logs are in {folder}.", flush=True)
    try:
        signal.pause()
    except KeyboardInterrupt:
        print()


def main():
    parser = argparse.ArgumentParser(prog="scripts/demo.sh")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--simulate", type=pathlib.Path, metavar="FILE", help="play a scenario instead of the capture")
    parser.add_argument("--speed", metavar="N", help="N times as fast")
    parser.add_argument("--patience", type=float, default=3600, metavar="SECONDS", help="for the monitor to finish")
    parser.add_argument("--like", type=pathlib.Path, metavar="PAGE", help="fail unless the page shows the same story")
    parser.add_argument("--partners", action="store_true", help="stolen in one city, heard in another")
    parser.add_argument("--keep", action="store_true", help="leave registry and receiver running")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="findmybike-demo-") as name:
        folder = pathlib.Path(name)
        stage = Stage(options.programs, folder)
        try:
            play(options, stage, folder)
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"\nThe demonstration failed: {failure}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 130
        finally:
            stage.stop()
    print("\nThe owner was alerted.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
