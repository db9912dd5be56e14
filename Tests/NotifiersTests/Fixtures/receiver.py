"""A hand-written webhook receiver: the path sets the response; verifies signatures with hmac, and shows what arrived.

Prints its port as the first line; ends when its standard input closes.
"""

import base64
import hashlib
import hmac
import http.server
import json
import sys
import threading

SECRET = base64.b64encode(bytes(range(32))).decode()
received = []


def is_signed(headers, body):
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(base64.b64decode(SECRET), signed, hashlib.sha256).digest()
    return headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        received.append({
            "path": self.path, "id": self.headers["webhook-id"], "timestamp": self.headers["webhook-timestamp"],
            "contentType": self.headers["Content-Type"], "body": json.loads(body),
            "signed": is_signed(self.headers, body)})
        if self.path == "/redirect":
            self.answer(307, {"Location": "/ok"})
        elif self.path == "/busy":
            self.answer(503, {"Retry-After": "120"}, b"secret of the peer")
        elif self.path == "/large":
            self.answer(200, {}, b"x" * (1 << 20))
        elif self.path == "/gone":
            self.answer(410, {})
        elif self.path == "/refused":
            self.answer(400, {}, b"secret of the peer")
        elif self.path == "/broken":
            self.connection.close()
        else:
            self.answer(204, {})

    def do_GET(self):
        self.answer(200, {"Content-Type": "application/json"}, json.dumps(received).encode())

    def answer(self, status, headers, body=b""):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
