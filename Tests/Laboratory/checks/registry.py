"""A registry with one missing bike, and a receiver for its owner's alerts, outside the guest, which is a venue's machine.

This file is also the program that runs outside:

    registry.py PROGRAMS     prints its port on loopback, then offers registries to the guest until it is ended
"""

import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import xmlrpc.client
import xmlrpc.server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts/demo"))
import play  # noqa: E402
from receiver import Receiver  # noqa: E402


class Registry:
    """One registry at a time."""

    def __init__(self, programs):
        self.programs = programs
        self.stage = None

    def open(self, identity):
        """Starts an empty registry where a bike with this identity is missing. Returns what its venue and owner know."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="registry-"))
        self.stage, self.receiver = play.Stage(self.programs, self.folder), Receiver()
        url = play.serve_registry(self.stage, self.folder)
        _, bike = play.report_bike(self.stage, self.folder, url, self.receiver, identity)
        return self.known(url, bike)

    def open_rotating(self):
        """The same for a bike with a rotating beacon; also returns the beacon's key."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="registry-"))
        self.stage, self.receiver = play.Stage(self.programs, self.folder), Receiver()
        self.stage.run("findmybike-registry", "key", "create-beacons", "--key-file", self.folder / "beacons.key")
        url = play.serve_registry(self.stage, self.folder, f"beacons:\n  keyFile: {self.folder}/beacons.key\n")
        _, bike = play.report_bike(self.stage, self.folder, url, self.receiver, None)
        return self.known(url, bike) | {"key": bike["rotation"]["key"]}

    def known(self, url, bike):
        tokens = {f"{name}Token": (self.folder / f"{name}-token").read_text(encoding="utf-8") for name in ("station", "owner")}
        return tokens | {"url": url, "bike": bike["id"]}

    def alert(self, seconds):
        """The next alert's message; an empty one if none arrives in time."""
        try:
            return self.receiver.alerts.get(timeout=seconds)["data"]["message"]
        except queue.Empty:
            return ""

    def refused(self):
        """The number of alerts with a wrong signature."""
        return self.receiver.refusals.qsize()

    def log(self):
        return (self.folder / "registry.log").read_text(encoding="utf-8")

    def close(self):
        if self.stage:
            self.stage.stop()
            shutil.rmtree(self.folder)
        self.stage = None
        return True


class RegistryOutside:
    """The same, for the guest. Monitors send their tokens over TLS or to loopback only, so a tunnel begins there."""

    def __init__(self):
        address = os.environ["FINDMYBIKE_REGISTRY_OUTSIDE"]
        self.host = address.split(":")[0]
        self.outside = xmlrpc.client.ServerProxy(f"http://{address}")
        self.tunnel = None

    def open(self, identity):
        return self.reach(self.outside.open(identity))

    def open_rotating(self):
        return self.reach(self.outside.open_rotating())

    def reach(self, known):
        port = urllib.parse.urlsplit(known["url"]).port
        self.tunnel = subprocess.Popen(
            ["socat", f"TCP-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr", f"TCP:{self.host}:{port}"],
            stderr=subprocess.DEVNULL)
        return known

    def close(self):
        if self.tunnel:
            self.tunnel.terminate()
            self.tunnel.wait()
        self.outside.close()

    def __getattr__(self, name):
        return getattr(self.outside, name)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    registry = Registry(pathlib.Path(sys.argv[1]))
    server = xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False)
    for method in (registry.open, registry.open_rotating, registry.alert, registry.refused, registry.log, registry.close):
        server.register_function(method)
    print(server.server_address[1], flush=True)
    # The story that the demonstration tells is the caller's here.
    os.dup2(2, 1)
    try:
        server.serve_forever()
    finally:
        registry.close()


if __name__ == "__main__":
    main()
