"""Starts a registry, checks that its contract is valid, makes a principal of each kind, and lets schemathesis test the
service against the contract."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from openapi_spec_validator import OpenAPIV31SpecValidator

HERE = pathlib.Path(__file__).parent

SETTINGS = """\
listen: 127.0.0.1:0
publicURL: {public_url}
database: {folder}/registry.sqlite
identities:
  given: open
compatibility:
  key: {key}
evidence:
  keyFile: {folder}/key
limits:
  address: off
  token: off
  wrongTokens: off
  owners: off
  codes: off
  signIns: off
  finds: off
  messages: off
  followed: off
  checks: off
  dailyChecks: off
  allChecks: off
  answers: off
  tiles: off
  sharedTiles: off
  deskTiles: off
quotas:
  bikes: 100000
  channels: 100000
  tokens: 100000
  openReports: 100000
  photos: 100000
log:
  level: info
"""

PUBLIC_URL = "http://localhost"
APP_KEY = "the-key-of-the-app"
# A gray JPEG file of 8 × 8 pixels.
PHOTO = bytes.fromhex(
    "ffd8" "ffdb004300" + "08" * 64 + "ffc0000b080008000801011100"
    "ffc4001f00" "0000000c" + "00" * 12 + "000102030405060708090a0b"
    "ffc4001410" "01" + "00" * 15 + "00" "ffda0008010100003f00" "07" "ffd9"
)


class Registry:
    def __init__(self, program, folder):
        settings = pathlib.Path(folder, "registry.yaml")
        settings.write_text(SETTINGS.format(folder=folder, key=APP_KEY, public_url=PUBLIC_URL))
        arguments = ["--config", str(settings)]
        subprocess.run([program, "key", "create", *arguments], check=True, capture_output=True)
        made = json.loads(subprocess.run(
            [program, "operator", "create", "--json", *arguments], check=True, capture_output=True, text=True
        ).stdout)
        self.operator, self.operator_id = made["token"], made["id"]
        self.log = open(pathlib.Path(folder, "log"), "w+")
        self.process = subprocess.Popen([program, "serve", *arguments], stderr=self.log)
        self.url = f"http://{self.address()}"

    def address(self):
        while self.process.poll() is None:
            if found := re.search(r"listening.*address=(\S+)|address=(\S+).*listening", self.said()):
                return found[1] or found[2]
            time.sleep(0.05)
        sys.exit(f"the registry did not start:\n{self.said()}")

    def said(self):
        return pathlib.Path(self.log.name).read_text()

    def call(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=60)


def principals(registry):
    """A principal of each kind, as the environment of the run."""
    owner = registry.call("POST", "/v1/owners")["token"]
    token = registry.call("GET", "/v1/owner/tokens", token=owner)["items"][0]["id"]
    draft = {"name": "Contract", "place": {"latitude": 0, "longitude": 0}}
    invitation = registry.call("POST", "/v1/invitations", draft, registry.operator)
    station = registry.call("POST", "/v1/station/enrolment", {"code": invitation["code"]})
    return {
        "OWNER_TOKEN": owner, "TOKEN_ID": token, "OPERATOR_TOKEN": registry.operator,
        "OPERATOR_ID": registry.operator_id,
        "STATION_TOKEN": station["token"], "STATION_ID": station["station"]["id"], "APP_KEY": APP_KEY,
        "PUBLIC_URL": PUBLIC_URL,
    }


def check_principals(registry, environment):
    """A run that lost its tokens would have tested little."""
    for name, path in [("OWNER", "/v1/owner"), ("OPERATOR", "/v1/stations"), ("STATION", "/v1/missing")]:
        registry.call("GET", path, token=environment[f"{name}_TOKEN"])


def check_document(registry):
    """The contract must follow the specification of OpenAPI 3.1."""
    errors = list(OpenAPIV31SpecValidator(registry.call("GET", "/openapi.json")).iter_errors())
    if errors:
        lines = [f"/{'/'.join(map(str, error.absolute_path))}: {error.message[:500]}" for error in errors[:20]]
        sys.exit("\n".join([f"/openapi.json is not valid, in {len(errors)} places:", *lines]))


def run(command, seconds, **more):
    """Runs a command and shows its output; returns its exit code, and its lines about failures."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", **more)
    limit = threading.Timer(seconds, process.kill)
    limit.start()
    failures, heading = [], ""
    for line in process.stdout:
        print(line, end="", flush=True)
        if found := re.fullmatch("=+ ([A-Za-z ]+) =+", line.strip()):
            heading = found[1]
        if heading in ("FAILURES", "ERRORS"):
            failures.append(line.rstrip())
    limit.cancel()
    return process.wait(), failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=int, default=180, help="the run fails if it takes longer")
    parser.add_argument("more", nargs="*", help="further arguments for schemathesis, after --")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        registry = Registry(options.program, folder)
        try:
            check_document(registry)
            environment = principals(registry)
            schemathesis = pathlib.Path(sys.executable).parent / "schemathesis"
            status, failures = run(
                [schemathesis, "--config-file", HERE / "schemathesis.toml", "run", f"{registry.url}/openapi.json",
                 "--checks", "all", *options.more],
                options.seconds, cwd=folder,
                env=os.environ | environment | {"SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"), "PHOTO": PHOTO.hex()})
            if registry.process.poll() is None:
                check_principals(registry, environment)
        finally:
            ended = registry.end()
        if status or ended:
            serious = re.compile(" (warning|error|critical) ")
            print(*[line for line in registry.said().splitlines() if serious.search(line)][:80], sep="\n")
            # Again, and last: the summary and the warnings are long.
            print(*failures[:100], sep="\n")
            sys.exit(f"schemathesis ended with {status}, the registry with {ended}")


if __name__ == "__main__":
    main()
