"""A network between a station and a registry that fails as told.

Usage: proxy.py PORT-OF-REGISTRY SEED [CONTROL-SOCKET]

Each connection has one fate, which the seed determines: it passes; it is slow (a few bytes at a time); it is lossy (it
ends in the middle of the request or the response, after a random number of bytes); it is reset; or it leads nowhere (a
partition: there is no response, and then it ends). Prints its port. A line "clear" on its input ends all trouble, and
"trouble" begins it again; the proxy ends when its input closes. On the control socket, a Unix socket, it accepts
POST /seed/N, which begins trouble again with another seed, and POST /clear.
"""

import http.server
import random
import socket
import socketserver
import struct
import sys
import threading

upstream = int(sys.argv[1])
random.seed(int(sys.argv[2]))
is_clear = threading.Event()
# Seconds of silence.
PARTITION = 0.02 if len(sys.argv) > 3 else 0.2
FATES = ["pass", "slow", "lossy request", "lossy answer", "reset", "partition"]


def reset(connection):
    """Ends a connection abruptly, with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def pump(source, sink, budget, piece):
    """Forwards bytes until the source ends or the budget is used up; then both connections are cut off."""
    try:
        while data := source.recv(piece):
            if budget is not None:
                data = data[:budget]
                budget -= len(data)
            sink.sendall(data)
            if budget == 0:
                break
    except OSError:
        pass
    for connection in (source, sink):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def handle(client, fate, budget):
    if fate == "reset":
        return reset(client)
    if fate == "partition":
        client.settimeout(PARTITION)
        try:
            while client.recv(4096):
                pass
        except OSError:
            pass
        return client.close()
    try:
        server = socket.create_connection(("127.0.0.1", upstream))
    except OSError:
        return reset(client)
    piece = 7 if fate == "slow" else 65536
    out = threading.Thread(
        target=pump, args=(client, server, budget if fate == "lossy request" else None, piece), daemon=True)
    out.start()
    pump(server, client, budget if fate == "lossy answer" else None, piece)
    out.join()
    client.close()
    server.close()


def accept(listener):
    while True:
        client, _ = listener.accept()
        fate, budget = random.choice(FATES), random.randrange(1, 2000)
        if is_clear.is_set():
            fate = "pass"
        threading.Thread(target=handle, args=(client, fate, budget), daemon=True).start()


class Control(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        word, *number = self.path.strip("/").split("/")
        if word == "seed":
            random.seed(int(number[0]))
            is_clear.clear()
        else:
            is_clear.set()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


if len(sys.argv) > 3:
    control = socketserver.ThreadingUnixStreamServer(sys.argv[3], Control)
    threading.Thread(target=control.serve_forever, daemon=True).start()
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
for line in sys.stdin:
    if line.strip() == "clear":
        is_clear.set()
    elif line.strip() == "trouble":
        is_clear.clear()
