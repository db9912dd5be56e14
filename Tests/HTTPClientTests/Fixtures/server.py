"""Plays the servers that an HTTP client meets: polite, slow, endless, redirecting. Ends when its input closes."""

import gzip
import http.server
import json
import os
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        sent = self.rfile.read(length).decode()
        path = self.path
        if path == "/echo":
            seen = {"method": self.command, "body": sent, "headers": {k.lower(): v for k, v in self.headers.items()}}
            self.answer(200, json.dumps(seen).encode(), Content_Type="application/json")
        elif path == "/large":
            self.answer(200, b"x" * 100_000)
        elif path == "/bomb":
            self.answer(200, gzip.compress(b"\0" * 50_000_000), Content_Encoding="gzip")
        elif path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 4096)
            except OSError:
                self.close_connection = True
        elif path == "/slow":
            time.sleep(30)
        elif path == "/redirect":
            self.answer(302, Location="/echo")
        elif path == "/moved":
            self.answer(308, Location="/echo")
        elif path == "/elsewhere":
            self.answer(307, Location="http://localhost:1/steal")
        elif path == "/round":
            self.answer(307, Location="/round")
        elif path == "/busy":
            self.answer(503, Retry_After="7")
        elif path == "/hang-up":
            self.server.hung_up += 1
            self.close_connection = True
        elif path == "/hung-up":
            self.answer(200, str(self.server.hung_up).encode())
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"only this")
            self.close_connection = True
        else:
            self.answer(404, b"<html>not here</html>", Content_Type="text/html")

    do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    # Requests to /hang-up, which get no response.
    hung_up = 0

    def handle_error(self, request, client_address):
        """Ignores errors, because the tests cut connections on purpose."""


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
