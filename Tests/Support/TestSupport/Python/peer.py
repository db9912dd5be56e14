"""What the HTTP servers that tests talk to have in common. `PythonPeer` puts this folder into PYTHONPATH."""

import http.server
import json
import os
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        """The request's body."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, body=b"", **fields):
        """Sends bytes, or another value as JSON, with these header fields: underscores stand for hyphens."""
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
            fields.setdefault("Content_Type", "application/json")
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, *_):
        """Ignores errors, because the tests cut connections on purpose."""

    def serve(self):
        """Prints the port, and serves until the standard input closes."""
        print(self.server_port, flush=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        sys.stdin.read()
        os._exit(0)
