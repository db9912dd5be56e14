"""An operator manages a station while an owner follows its sightings, all on the command line.

Usage: stations.py REPOSITORY PROGRAMS
Prints a JSON object; Python's own parsers read the formats of the trail.
"""

import csv
import datetime
import io
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts/demo"))
from play import Stage, write_secret  # noqa: E402

IDENTITY = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
GPX = "{http://www.topografix.com/GPX/1/1}"


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")


def report(url, token, number):
    """Reports a visit at a place other than the station's own."""
    uuid, major, minor = IDENTITY.split(":")
    visit = {"id": f"01890000-0000-7000-8000-{number:012x}", "stay": f"01890000-0000-7000-8000-{number:012x}",
             "identity": {"uuid": uuid, "major": int(major), "minor": int(minor)}, "firstSeen": now(), "lastSeen": now(),
             "count": 2, "measuredPower": -59, "proximity": "near", "ended": True,
             "place": {"latitude": 51.6, "longitude": -0.12, "accuracy": 5}}
    request = urllib.request.Request(
        url + "/v1/sightings", json.dumps({"visits": [visit]}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {token.read_text().strip()}"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        assert json.load(answer)["results"][0]["result"] == "stored"
    return visit["id"]


def read_forms(run):
    rows = list(csv.DictReader(io.StringIO(run("findmybike", "sightings", "--format", "csv"), newline="")))
    gpx = xml.etree.ElementTree.fromstring(run("findmybike", "sightings", "--format", "gpx"))
    features = json.loads(run("findmybike", "sightings", "--format", "geojson"))["features"]
    return {"rows": [[row["station_name"], row["level"], row["reasons"]] for row in rows],
            "waypoints": [point.find(f"{GPX}name").text for point in gpx.iter(f"{GPX}wpt")],
            "points": [feature["geometry"]["coordinates"] for feature in features]}


def play(stage, folder):
    stage.tell = lambda *_: None
    settings = folder / "registry.yaml"
    settings.write_text(f"listen: 127.0.0.1:0\ndatabase: {folder}/registry.sqlite\nidentities:\n  given: open\n")
    operator = folder / "operator-token"
    write_secret(operator, stage.run("findmybike-registry", "operator", "create", "--config", settings))
    stage.start("registry", "findmybike-registry", "serve", "--config", settings)
    url = "http://" + stage.await_line("registry", r"address=(\S+).*\] listening", 30)[1]
    mine = {"FINDMYBIKE_REGISTRY_URL": url, "FINDMYBIKE_TOKEN_FILE": folder / "owner-token"}
    run = lambda *arguments: stage.run(*arguments, **mine)
    operate = lambda *arguments: stage.run(
        "findmybike", "station", *arguments, **(mine | {"FINDMYBIKE_TOKEN_FILE": operator}))

    token = folder / "station-token"
    operate("enrol", "--name", '=Café "<&', "--venue", "Old Street", "--latitude", 51.5, "--longitude", -0.12,
            "--accuracy", 5, "--output", token)
    station = json.loads(operate("list", "--json"))
    run("findmybike", "owner", "create")
    bike = json.loads(run(
        "findmybike", "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red",
        "--identity", IDENTITY, "--json"))
    stage.run("findmybike", "claim", "accept", bike["id"], IDENTITY, **(mine | {"FINDMYBIKE_TOKEN_FILE": operator}))
    run("findmybike", "bike", "missing", "--police-reference", "X")
    follower = subprocess.Popen(
        [stage.programs / "findmybike", "sightings", "--follow", "--json"], stdout=subprocess.PIPE, text=True,
        env=stage.environment(mine))
    followed = []
    try:
        first = report(url, token, 1)
        followed.append(json.loads(follower.stdout.readline()))
        operate("move", station["id"], "--latitude", 51.6, "--longitude", -0.12, "--accuracy", 5)
        report(url, token, 2)
        followed.append(json.loads(follower.stdout.readline()))
        run("findmybike", "sighting", "dismiss", first)
        followed.append(json.loads(follower.stdout.readline()))
        follower.send_signal(signal.SIGINT)
        status = follower.wait(timeout=120)
    finally:
        follower.kill()
    forms = read_forms(run)
    revoked = operate("revoke", station["id"], "--yes", "--quarantine-since", "2026-01-01T00:00:00Z")
    levels = [json.loads(line)["level"] for line in run("findmybike", "sightings", "--json").splitlines()]
    return forms | {
        "followed": [[event["level"], "dismissed" in event] for event in followed], "status": status,
        "quarantined": revoked.strip().endswith("are disputed."), "levels": levels,
        "state": operate("list").splitlines()[1].split("  ")[-1].split(" on ")[0], "venue": station["venue"]}


with tempfile.TemporaryDirectory() as name:
    stage = Stage(pathlib.Path(sys.argv[2]), pathlib.Path(name))
    try:
        print(json.dumps(play(stage, pathlib.Path(name))))
    finally:
        stage.stop()
