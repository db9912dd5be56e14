"""Plays brokers that mosquitto cannot play. Prints its port. Usage: broker.py KIND

endless   accepts a client, then sends it a message of 200 MB, no faster than a network
refusing  speaks only MQTT 3.1.1, and says so to others
closing   speaks only MQTT 3.1.1, and closes the connection of others
mute      accepts a client, and acknowledges nothing
kept      speaks only MQTT 3.1.1, and sends 40 MB of messages with quality of service 2, which a client keeps, and others
          between them
deaf      accepts a client, then sends messages that it must acknowledge, and reads nothing
"""

import socket
import socketserver
import sys
import threading
import time

LENGTH = 200_000_000


def varint(number):
    out = bytearray()
    while True:
        number, low = number >> 7, number & 0x7F
        out.append(low | (0x80 if number else 0))
        if not number:
            return bytes(out)


class Handler(socketserver.StreamRequestHandler):
    def packet(self):
        """The first byte and the content of the next packet; None at the end."""
        first = self.rfile.read(1)
        if not first:
            return None
        length = shift = 0
        while True:
            byte = self.rfile.read(1)[0]
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        return first[0], self.rfile.read(length)

    def handle(self):
        version = self.packet()[1][6]
        if sys.argv[1] == "endless":
            return self.flood(version)
        if sys.argv[1] == "mute":
            self.accept(version)
            while self.packet():
                pass
            return None
        if sys.argv[1] == "deaf":
            return self.flood_deaf(version)
        if version == 5:
            if sys.argv[1] in ("refusing", "kept"):
                self.wfile.write(b"\x20\x02\x00\x01")
            return None
        self.wfile.write(b"\x20\x02\x00\x00")
        if sys.argv[1] == "kept":
            return self.flood_kept()
        while packet := self.packet():
            kind, content = packet
            if kind & 0xF0 == 0x30:
                end = 2 + int.from_bytes(content[:2], "big")
                self.wfile.write(b"\x40\x02" + content[end : end + 2])

    def accept(self, version):
        self.wfile.write(b"\x20\x03\x00\x00\x00" if version == 5 else b"\x20\x02\x00\x00")

    def flood(self, version):
        self.accept(version)
        head = b"\x00\x01x" + (b"\x00" if version == 5 else b"")
        self.wfile.write(b"\x30" + varint(LENGTH) + head)
        left = LENGTH - len(head)
        while left > 0:
            part = bytes(min(left, 1 << 16))
            self.wfile.write(part)
            time.sleep(0.005)
            left -= len(part)


    def flood_kept(self):
        for number in range(1, 6001):
            content = b"\x00\x01x" + number.to_bytes(2, "big") + bytes(7000)
            self.wfile.write(b"\x34" + varint(len(content)) + content + b"\x30\x05\x00\x01x{}")
            if number % 10 == 0:
                time.sleep(0.005)

    def flood_deaf(self, version):
        self.accept(version)
        head = b"\x32\x06\x00\x01x" if version == 5 else b"\x32\x05\x00\x01x"
        tail = b"\x00" if version == 5 else b""
        numbers = range(1, 65536)
        content = b"".join(head + number.to_bytes(2, "big") + tail for number in numbers)
        while True:
            self.wfile.write(content)
            time.sleep(0.005)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def server_bind(self):
        if sys.argv[1] == "deaf":
            # Otherwise the system would take very many acknowledgements for it.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        super().server_bind()

    def handle_error(self, *_):
        """Ignores errors, because clients break off connections on purpose."""


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
