"""Plays a gpsd that sends invalid data. Each connection gets the next act: first garbage and far too long lines with a
place between them, then an end in the middle of a line, then another place followed by silence. With the argument
`flood` each connection gets places without an end, with `error` an error and its end, and with `flapping` a place and its
end."""

import json
import os
import socketserver
import sys
import threading


def tpv(latitude):
    return json.dumps({"class": "TPV", "mode": 3, "lat": latitude, "lon": 7.0, "epx": 3.0, "epy": 4.0}).encode() + b"\n"


ACTS = [
    [
        b'{"class":"VERSION","release":"3.22"}\n', os.urandom(5000).replace(b"\n", b"x") + b"\n",
        b"[" * 200_000 + b"\n", b'{"class":"TPV","mode":3,"lat":91,"lon":7}\n', b'{"class":"TPV","mode":3}\n',
        b'{"class":7}\n', b"\n\n", tpv(45.0), b'{"class":"TPV","mode":1}\n',
    ],
    [b'{"class":"TPV","mode":3,"lat":4'],
    [tpv(46.0)],
]
acts = iter(ACTS)


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.recv(100)
        if sys.argv[1:] == ["flood"]:
            while True:
                self.request.sendall(tpv(47.0) * 10)
        if sys.argv[1:] == ["error"]:
            return self.request.sendall(b'{"class":"ERROR","message":"Unrecognized request"}\n')
        if sys.argv[1:] == ["flapping"]:
            return self.request.sendall(tpv(48.0))
        act = next(acts, ACTS[-1])
        for piece in act:
            self.request.sendall(piece)
        if act is ACTS[-1]:
            self.request.recv(100)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores errors, because a flood ends when the peer has enough."""


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
