"""Plays the servers that an HTTP client meets: polite, slow, endless, redirecting. Ends when its input closes."""

import gzip
import time

import peer


class Handler(peer.Handler):
    def do_GET(self):
        sent = self.body().decode()
        path = self.path
        if path == "/echo":
            seen = {"method": self.command, "body": sent, "headers": {k.lower(): v for k, v in self.headers.items()}}
            self.answer(200, seen)
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
        elif path in ("/header", "/trailers", "/hints"):
            lines = {"/hints": b"HTTP/1.1 103 Early Hints\r\nLink: <%b>\r\n\r\n"}.get(path, b"X-Filling: %b\r\n") % (b"x" * 1000)
            try:
                if path != "/hints":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                if path == "/trailers":
                    self.wfile.write(b"Transfer-Encoding: chunked\r\n\r\n0\r\n")
                while True:
                    self.wfile.write(lines)
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
            self.answer(503, Retry_After=self.headers.get("X-Retry-After", "7"))
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


class Server(peer.Server):
    # Requests to /hang-up, which get no response.
    hung_up = 0


Server(Handler).serve()
