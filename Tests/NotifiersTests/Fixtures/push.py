"""Receivers that an owner can choose, checked with other projects' libraries: a push service that decrypts with
http_ece and checks senders with PyJWT, an ntfy server, and a webhook that verifies with the package standardwebhooks.

GET /subscription returns the browser's subscription; GET / shows what arrived. A path ends with the status to return.
"""

import base64
import http.server
import json
import os
import sys
import threading

import http_ece
import jwt
import standardwebhooks
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
browser = ec.generate_private_key(ec.SECP256R1())
auth = os.urandom(16)
seen = []


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def judge_push(headers, body, origin):
    token, key = (part.strip()[2:] for part in headers["Authorization"].removeprefix("vapid ").split(","))
    public = ec.EllipticCurvePublicKey.from_encoded_point(
        ec.SECP256R1(), base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)))
    claims = jwt.decode(
        token, public, algorithms=["ES256"], audience=origin, options={"verify_exp": False, "verify_iat": False})
    plain = http_ece.decrypt(body, private_key=browser, auth_secret=auth, version="aes128gcm")
    return {"claims": claims, "key": key, "message": json.loads(plain), "encrypted": len(body)}


def judge_webhook(headers, body):
    return {"message": standardwebhooks.Webhook(SECRET).verify(body, dict(headers.items()))}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        entry = {"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}}
        if self.path.startswith("/push"):
            entry |= judge_push(self.headers, body, f"http://127.0.0.1:{server.server_port}")
        elif self.path.startswith("/webhook"):
            entry |= judge_webhook(self.headers, body)
        else:
            entry |= {"message": json.loads(body)}
        seen.append(entry)
        last = entry["message"].get("topic") or self.path.rsplit("/", 1)[-1]
        self.answer(int(last) if last.isdigit() else 201, b"secret words of the peer")

    def do_GET(self):
        subscription = {
            "endpoint": f"http://127.0.0.1:{server.server_port}/push",
            "keys": {"p256dh": base64url(point(browser.public_key())), "auth": base64url(auth)}}
        self.answer(200, json.dumps(subscription if self.path == "/subscription" else seen).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "60")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
