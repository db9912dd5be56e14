"""A registry that gets the calls, and remembers by name what it has made itself: identifiers, tokens and codes."""
import http.client
import json
import re
import socket
import subprocess
import time

SETTINGS = """\
listen: 127.0.0.1:{port}
database: {database}
identities:
  given: open
webhooks:
  allowPrivateAddresses: true
limits:
  address: off
  token: off
  wrongTokens: off
  owners: off
quotas:
  bikes: 1000
  channels: 1000
  openReports: 1000
"""
PATIENCE = 600


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.media_type, self.body = status, headers.get("Content-Type"), body


class Registry:
    def __init__(self, program, folder):
        folder.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.program, self.folder = program, folder
        self.database, self.settings = folder / "registry.sqlite", folder / "registry.yaml"
        self.settings.write_text(SETTINGS.format(port=self.port, database=self.database))
        # By name. Names in calls are between angle brackets.
        self.known, self.process = {}, None

    def start(self):
        self.known["operator"] = self.tool("operator", "create")
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--config", self.settings], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("%s does not listen: %s" % (self.program, (self.folder / "log").read_text()))
                time.sleep(0.1)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def tool(self, *arguments):
        command = [self.program, *arguments, "--config", self.settings]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.strip()

    def call(self, call):
        headers = {name: self.filled(value) for name, value in call.headers.items()}
        if call.token:
            headers["Authorization"] = "Bearer " + self.filled("<%s>" % call.token)
        body = None
        if call.body is not None:
            body = self.filled(call.body if isinstance(call.body, str) else json.dumps(call.body)).encode()
            headers.setdefault("Content-Type", "application/json")
        self.connection.request(call.method, self.filled(call.path), body, headers)
        response = self.connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        for name, path in call.keeps.items():
            if answer.status in (200, 201):
                self.known[name] = self.find(json.loads(answer.body), path)
        if call.keeps_tag and answer.status == 200:
            self.known[call.keeps_tag] = response.headers["ETag"]
        return answer

    def find(self, value, path):
        for step in path:
            value = value[step]
        return value

    def filled(self, text):
        """The text with what this registry has made. A name that it does not know stays as it is."""
        return re.sub(r"<([a-z]+\d*)>", lambda found: self.known.get(found[1], found[1]), text)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def verify(self):
        self.tool("audit", "verify")
