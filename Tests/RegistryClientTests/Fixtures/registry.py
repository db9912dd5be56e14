"""Plays a registry, or what may respond in its place. `--tls FOLDER` serves with a certificate that is made there.

Ends when its input closes.
"""

import http.server
import json
import os
import ssl
import subprocess
import sys
import threading

OWNER = {"id": "01890000-0000-7000-8000-000000000000", "created": "1970-01-01T00:00:00.000Z", "tellsAppearance": True,
         "recoveryCodes": 10, "language": "en"}
LIST = "application/vnd.findmybike.missing-list"
TAG = '"7-000000000000000a"'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        headers.setdefault("Content_Type", "application/json")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if status != 304:
            self.wfile.write(data)

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
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

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Ignores errors, because the tests cut connections on purpose."""


server = Server(("127.0.0.1", 0), Handler)
if sys.argv[1:2] == ["--tls"]:
    certificate, key = (os.path.join(sys.argv[2], name) for name in ("certificate.pem", "key.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout", key],
        check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
