"""Starts a registry, makes a principal of each kind, and lets schemathesis hold the service against its contract."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).parent

SETTINGS = """\
listen: 127.0.0.1:0
database: {folder}/registry.sqlite
identities:
  given: open
webhooks:
  allowPrivateAddresses: false
limits:
  address: off
  token: off
  wrongTokens: off
  owners: off
  codes: off
  finds: off
log:
  level: info
"""


class Registry:
    def __init__(self, program, folder):
        settings = pathlib.Path(folder, "registry.yaml")
        settings.write_text(SETTINGS.format(folder=folder))
        arguments = ["--config", str(settings)]
        self.operator = subprocess.run(
            [program, "operator", "create", *arguments], check=True, capture_output=True, text=True
        ).stdout.strip()
        self.log = open(pathlib.Path(folder, "log"), "w+")
        self.process = subprocess.Popen([program, "serve", *arguments], stderr=self.log)
        self.url = f"http://{self.address()}"

    def address(self):
        while self.process.poll() is None:
            if found := re.search(r"listening.*address=(\S+)|address=(\S+).*listening", self.said()):
                return found[1] or found[2]
        sys.exit(f"the registry did not start:\n{self.said()}")

    def said(self):
        return pathlib.Path(self.log.name).read_text()

    def post(self, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=60)


def tokens(registry):
    owner = registry.post("/v1/owners")["token"]
    invitation = registry.post(
        "/v1/invitations", {"name": "Contract", "place": {"latitude": 0, "longitude": 0}}, registry.operator
    )
    station = registry.post("/v1/station/enrolment", {"code": invitation["code"]})["token"]
    return {"OWNER_TOKEN": owner, "STATION_TOKEN": station, "OPERATOR_TOKEN": registry.operator}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=int, default=150)
    parser.add_argument("more", nargs="*", help="further arguments for schemathesis, after --")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        registry = Registry(options.program, folder)
        try:
            schemathesis = pathlib.Path(sys.executable).parent / "schemathesis"
            status = subprocess.run(
                [schemathesis, "--config-file", HERE / "schemathesis.toml", "run", f"{registry.url}/openapi.json",
                 "--seed", "20261121", "--max-time", str(options.seconds), *options.more],
                env=os.environ | tokens(registry), cwd=folder,
            ).returncode
        finally:
            ended = registry.end()
        if status or ended:
            faults = [line for line in registry.said().splitlines() if " error " in line or " critical " in line]
            print(*faults[-20:], sep="\n")
            sys.exit(f"schemathesis ended with {status}, the registry with {ended}")


if __name__ == "__main__":
    main()
