"""A hand-written webhook receiver: the path sets the response; verifies signatures with hmac, and shows what arrived.

Prints its port as the first line; ends when its standard input closes.
"""

import base64
import hashlib
import hmac
import json

import peer

SECRET = base64.b64encode(bytes(range(32))).decode()
received = []


def is_signed(headers, body):
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(base64.b64decode(SECRET), signed, hashlib.sha256).digest()
    return headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()


class Handler(peer.Handler):
    def do_POST(self):
        body = self.body()
        received.append({
            "path": self.path, "id": self.headers["webhook-id"], "timestamp": self.headers["webhook-timestamp"],
            "contentType": self.headers["Content-Type"], "body": json.loads(body),
            "signed": is_signed(self.headers, body)})
        if self.path == "/redirect":
            self.answer(307, Location="/ok")
        elif self.path == "/busy":
            self.answer(503, b"secret of the peer", Retry_After="120")
        elif self.path == "/large":
            self.answer(200, b"x" * (1 << 20))
        elif self.path == "/gone":
            self.answer(410)
        elif self.path == "/refused":
            self.answer(400, b"secret of the peer")
        elif self.path == "/broken":
            self.connection.close()
        else:
            self.answer(204)

    def do_GET(self):
        self.answer(200, received)


peer.Server(Handler).serve()
