"""Receivers that an owner can choose, checked with other projects' libraries: a push service that decrypts with
http_ece and checks senders with PyJWT, an ntfy server, and a webhook that verifies with the package standardwebhooks.

GET /subscription returns the browser's subscription; GET / shows what arrived. A path ends with the status to return.
"""

import base64
import json
import os

import http_ece
import jwt
import peer
import standardwebhooks
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
browser = ec.generate_private_key(ec.SECP256R1())
auth = os.urandom(16)
seen = []


# How Apple, Mozilla and Google say that the subscription was made with another key.
OTHER_KEY = {
    400: b'{"reason":"VapidPkHashMismatch"}', 401: b'{"code":401,"errno":109,"message":"VAPID public key mismatch"}',
    403: b"the VAPID credentials in the authorization header do not correspond to the credentials used to create the "
         b"subscriptions.\n"}


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


class Handler(peer.Handler):
    def do_POST(self):
        body = self.body()
        entry = {"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}}
        if self.path.startswith("/push"):
            entry |= judge_push(self.headers, body, f"http://127.0.0.1:{server.server_port}")
        elif self.path.startswith("/webhook"):
            entry |= judge_webhook(self.headers, body)
        else:
            entry |= {"message": json.loads(body)}
        seen.append(entry)
        last, _, more = (entry["message"].get("topic") or self.path.rsplit("/", 1)[-1]).partition("-")
        status = int(last) if last.isdigit() else 201
        self.answer(status, OTHER_KEY[status] if more == "key" else b"secret words of the peer")

    def do_GET(self):
        subscription = {
            "endpoint": f"http://127.0.0.1:{server.server_port}/push",
            "keys": {"p256dh": base64url(point(browser.public_key())), "auth": base64url(auth)}}
        self.answer(200, subscription if self.path == "/subscription" else seen)

    def answer(self, status, body):
        super().answer(status, body, **({"Retry_After": "60"} if status == 429 else {}))


server = peer.Server(Handler)
server.serve()
