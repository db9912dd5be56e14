"""A tile server, some of whose tiles are traps. Prints its port; /asked returns the requests so far as JSON."""
import gzip
import json
import struct
import time
import zlib

import peer

# The smallest PNG file: one pixel.
PNG = (b"\x89PNG\r\n\x1a\n" + b"".join(
    struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for kind, data in [(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
                       (b"IDAT", zlib.compress(b"\0\0\0\0")), (b"IEND", b"")]))
asked = []
state = {"status": 200, "version": 1}


class Handler(peer.Handler):
    def answer(self, status=200, body=PNG, kind="image/png", **fields):
        super().answer(status, body, **({"Content_Type": kind} if kind else {}), **fields)

    def do_GET(self):
        if self.path == "/asked":
            return self.answer(body=json.dumps(asked).encode(), kind="application/json")
        if self.path.startswith("/set/"):
            state["status"] = int(self.path.split("/")[2])
            return self.answer(body=b"{}", kind="application/json")
        asked.append({"path": self.path} | {name.lower(): value for name, value in self.headers.items()})
        name = self.path.split("/")[1]
        getattr(self, name)()

    def plain(self):
        if state["status"] != 200:
            return self.answer(state["status"], b"no", "text/plain")
        if self.headers.get("If-None-Match") == '"1"':
            return self.answer(304, b"", None, ETag='"1"', Cache_Control="max-age=600")
        self.answer(ETag='"1"', Last_Modified="Sun, 06 Nov 1994 08:49:37 GMT", Cache_Control="max-age=60")

    def unkept(self):
        self.answer(Cache_Control="no-store")

    def slow(self):
        time.sleep(0.3)
        self.plain()

    def silent(self):
        self.close_connection = True

    def endless(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(PNG)
            while True:
                self.wfile.write(b"\0" * 65536)
        except OSError:
            pass

    def bomb(self):
        self.answer(body=gzip.compress(PNG + b"\0" * (64 << 20)), Content_Encoding="gzip")

    def cut(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(PNG)
        self.close_connection = True

    def html(self):
        self.answer(body=b"<html>", kind="image/png")

    def lie(self):
        self.answer(kind="text/html")

    def elsewhere(self):
        self.answer(302, b"", None, Location=f"http://127.0.0.1:{self.server.server_port}/plain/0/0/0")

    def busy(self):
        self.answer(429, b"", None, Retry_After="7")

    def broken(self):
        self.answer(500, b"")

    def refused(self):
        self.answer(403, b"")

    def none(self):
        self.answer(404, b"")


peer.Server(Handler).serve()
