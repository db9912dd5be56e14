"""A mail server (aiosmtpd) with STARTTLS and one with TLS from the start. Both require a password, and Python's email
package parses the messages. The recipient's name sets the outcome: missing, later, policy, full; any other is accepted.

Argument: a folder for certificates. Prints the port of a web server: GET /ports, and GET / for the accepted messages.
"""

import email
import email.policy
import sys

import peer
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, SMTP
from tls_files import server_context

context = server_context(sys.argv[1])
taken = []


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name == "missing":
            return "550 5.1.1 secret words of the server"
        if name == "later":
            return "451 4.3.0 secret words of the server"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("policy"):
            return "554 5.7.1 secret words of the server"
        raw = envelope.original_content
        message = email.message_from_bytes(raw, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.iter_parts()}
        taken.append({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "hello": session.host_name,
            "tls": server.transport.get_extra_info("sslcontext") is not None, "user": getattr(session.auth_data, "login", b"").decode(),
            "headers": [[name, str(value)] for name, value in message.items()], "type": message.get_content_type(),
            "text": parts.get("text/plain"), "html": parts.get("text/html"),
            "lines": max(len(line) for line in raw.split(b"\r\n")),
            "bareLineFeeds": raw.replace(b"\r\n", b"").count(b"\n") + raw.replace(b"\r\n", b"").count(b"\r"),
            "defects": [str(defect) for part in message.walk() for defect in part.defects],
        })
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    right = data.login == b"registry" and data.password == b"the password"
    # Unhandled: the server itself responds with 535.
    return AuthResult(success=right, handled=right, auth_data=data)


class AnyPort(Controller):
    """Listens on a free port that the system chooses."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Plain(AnyPort):
    def factory(self):
        return SMTP(
            self.handler, tls_context=context, require_starttls=True, auth_required=True, authenticator=authenticate)


class Encrypted(AnyPort):
    def factory(self):
        return SMTP(self.handler, auth_required=True, auth_require_tls=False, authenticator=authenticate)


class Never(AnyPort):
    """A server without TLS."""

    def factory(self):
        return SMTP(self.handler)


def started(controller):
    controller.start()
    return controller.port


ports = {
    "starttls": started(Plain(Handler(), hostname="127.0.0.1", port=0)),
    "tls": started(Encrypted(Handler(), hostname="127.0.0.1", port=0, ssl_context=context)),
    "never": started(Never(Handler(), hostname="127.0.0.1", port=0)),
}


class Show(peer.Handler):
    def do_GET(self):
        self.answer(200, ports if self.path == "/ports" else taken)


peer.Server(Show).serve()
