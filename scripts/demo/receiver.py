"""A webhook receiver that accepts only alerts with a valid Standard Webhooks signature."""

import base64
import hashlib
import hmac
import http.server
import json
import queue
import threading
import time


class Receiver:
    """Listens on a free loopback port; verified alerts go to the queue `alerts`, refusals to `refusals`."""

    def __init__(self):
        self.secret = None
        self.alerts = queue.Queue()
        self.refusals = queue.Queue()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                problem = receiver.problem(self.headers, body)
                if problem:
                    receiver.refusals.put(problem)
                else:
                    receiver.alerts.put(json.loads(body))
                self.send_response(400 if problem else 204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/alerts"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def problem(self, headers, body):
        """What is wrong with a delivery, or None (Standard Webhooks, “Verifying signatures”)."""
        identifier, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
        if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
            return "its time stamp is missing or too old"
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        signed = f"{identifier}.{stamp}.".encode() + body
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        given = [part.removeprefix("v1,") for part in headers.get("webhook-signature", "").split()]
        if not any(hmac.compare_digest(expected, signature) for signature in given):
            return "its signature is wrong"
        return None
