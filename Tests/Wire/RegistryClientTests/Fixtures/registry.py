"""Plays a registry, or what may respond in its place. `--tls FOLDER` serves with a certificate that is made there.

Ends when its input closes.
"""

import os
import ssl
import subprocess
import sys

import peer

OWNER = {"id": "01890000-0000-7000-8000-000000000000", "created": "1970-01-01T00:00:00.000Z", "tellsAppearance": True,
         "recoveryCodes": 10, "language": "en"}
LIST = "application/vnd.findmybike.missing-list"
TAG = '"7-000000000000000a"'


class Handler(peer.Handler):
    # How often the channel has changed. It changes between the first two times that it is read and removed.
    changes = 0

    def do_DELETE(self):
        if Handler.changes < 2:
            Handler.changes += 1
        if self.headers["If-Match"] == '"%d"' % Handler.changes:
            self.answer(204)
        else:
            self.answer(412, {"type": "urn:findmybike:problem:changed-meanwhile", "title": "t", "status": 412, "detail": "d"},
                        Content_Type="application/problem+json")

    def do_GET(self):
        self.body()
        authorised = self.headers.get("Authorization") == "Bearer fmb_secret"
        path = self.path
        if path == "/v1/missing" and not authorised:
            self.answer(401, {"type": "t", "title": "t", "status": 401, "detail": "token?"},
                        Content_Type="application/problem+json")
        elif path == "/v1/missing" and LIST not in self.headers["Accept"]:
            self.answer(200, {"version": 7, "identities": []}, ETag='"7-000000000000000a-json"')
        elif path == "/v1/missing" and self.headers.get("If-None-Match") == TAG:
            self.answer(304, b"", ETag=TAG)
        elif path == "/v1/missing" and self.headers.get("If-None-Match") == '"5-0000000000000001"':
            # A proxy's page in place of the requested list.
            self.answer(200, b"<html>", Content_Type="text/html")
        elif path == "/v1/missing" and self.headers.get("If-None-Match"):
            # In place of a delta, return the request's header fields.
            asked = " ".join(self.headers.get(name, "-") for name in ("If-None-Match", "A-IM", "Prefer"))
            self.answer(226, asked.encode(), ETag=TAG, Content_Type=LIST)
        elif path == "/v1/missing":
            self.answer(200, b"all", ETag=TAG, Content_Type=LIST)
        elif path.startswith("/v1/channels/"):
            self.answer(200, {}, ETag='"%d"' % Handler.changes)
        elif path == "/owner" and authorised:
            self.answer(200, OWNER)
        elif path == "/v1/recovery":
            self.close_connection = True
        elif path == "/lacking":
            self.answer(200, {"id": OWNER["id"]})
        elif path == "/wrong":
            self.answer(200, {**OWNER, "created": "yesterday"})
        elif path == "/problem":
            self.answer(422, {"type": "t", "title": "t", "status": 422, "detail": "Look at the fields",
                              "errors": [{"pointer": "/make", "detail": "too long"}]},
                        Content_Type="application/problem+json")
        elif path == "/endless-problem":
            self.answer(422, {"type": "t", "title": "t\n" * 500, "status": 422, "detail": "no\x1b[31m\n" + "x" * 3_000_000,
                              "errors": [{"pointer": "/x" * 500, "detail": "y\u2028" * 500}] * 100},
                        Content_Type="application/problem+json")
        elif path == "/v1/sightings":
            bike = {"kind": "motorbike", "make": "H\x1b[2J\n" + "o" * 200_000, "model": "x\u202e", "colours": ["red"] * 50}
            self.answer(200, {"results": [{"result": "stored", "lookFor": bike}, {"result": "invalid", "errors": [
                {"pointer": "/visits" * 500, "detail": "d\n" * 5000}] * 100}]})
        elif path == "/busy":
            self.answer(503, b"", Retry_After="7")
        elif path == "/moved":
            self.answer(308, b"", Location="/owner")
        elif path == "/found":
            self.answer(302, b"", Location="/owner")
        elif path == "/elsewhere":
            self.answer(307, b"", Location="http://localhost:1/owner")
        elif path == "/round":
            self.answer(307, b"", Location="/round")
        elif path == "/page-with-200":
            self.answer(200, b"<html>Welcome</html>", Content_Type="text/html")
        else:
            self.answer(404, b"<html>nothing</html>", Content_Type="text/html")

    do_POST = do_GET


server = peer.Server(Handler)
if sys.argv[1:2] == ["--tls"]:
    certificate, key = (os.path.join(sys.argv[2], name) for name in ("certificate.pem", "key.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout", key],
        check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve()
