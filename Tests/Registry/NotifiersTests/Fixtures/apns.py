"""Plays both of Apple's push services over HTTP/2 with TLS: checks tokens with PyJWT; a device's name sets the result.

A device's token is its name in hexadecimal digits. The name is a reason that Apple documents, or one of the scripts
below; everything else is delivered. `localhost` is production, `127.0.0.1` is the sandbox. GET / shows what arrived.

Arguments: a folder for certificates, and the sender's public key as PEM. Prints its port; ends when its input closes.
"""

import json
import socket
import sys
import threading

import h2.config
import h2.connection
import h2.events
import jwt
from tls_files import server_context

STATUS = {
    "BadCollapseId": 400, "BadDeviceToken": 400, "BadExpirationDate": 400, "BadMessageId": 400, "BadPriority": 400,
    "BadTopic": 400, "DeviceTokenNotForTopic": 400, "DuplicateHeaders": 400, "IdleTimeout": 400,
    "InvalidPushType": 400, "MissingDeviceToken": 400, "MissingTopic": 400, "PayloadEmpty": 400,
    "TopicDisallowed": 400, "BadCertificate": 403, "BadCertificateEnvironment": 403, "ExpiredProviderToken": 403,
    "Forbidden": 403, "InvalidProviderToken": 403, "MissingProviderToken": 403, "BadPath": 404,
    "MethodNotAllowed": 405, "ExpiredToken": 410, "Unregistered": 410, "PayloadTooLarge": 413,
    "TooManyProviderTokenUpdates": 429, "TooManyRequests": 429, "InternalServerError": 500,
    "ServiceUnavailable": 503, "Shutdown": 503,
}
context = server_context(sys.argv[1])
context.set_alpn_protocols(["h2"])
public_key = open(sys.argv[2], "rb").read()
lock = threading.Lock()
seen = []
first_tokens = set()
connections = 0


def judge(request):
    """The status and the reason in the response to a push."""
    name = bytes.fromhex(request["device"]).decode()
    if name == "sandbox device" and request["environment"] == "production":
        return 400, "BadDeviceToken"
    if name == "production device" and request["environment"] == "sandbox":
        return 400, "BadDeviceToken"
    if name == "expired once" and request["token"] in first_tokens:
        return 403, "ExpiredProviderToken"
    first_tokens.add(request["token"])
    if "secret" in name:
        return 418, "The peer's own words"
    return STATUS.get(name, 200), name


def answer(headers, body):
    if headers[":method"] == "GET":
        return 200, {}, json.dumps({"requests": seen, "connections": connections}).encode()
    token = headers["authorization"].removeprefix("bearer ")
    request = {
        "device": headers[":path"].removeprefix("/3/device/"), "token": token, "body": json.loads(body),
        "size": len(body), "headers": {k: v for k, v in headers.items() if k != "authorization"},
        "environment": "sandbox" if headers[":authority"].startswith("127.0.0.1") else "production",
        "key": jwt.get_unverified_header(token),
        "claims": jwt.decode(token, public_key, algorithms=["ES256"], options={"verify_iat": False}),
    }
    status, reason = judge(request)
    seen.append(request)
    extra = {"retry-after": "77"} if reason in ("TooManyRequests", "ServiceUnavailable") else {}
    return status, extra, b"" if status == 200 else json.dumps({"reason": reason}).encode()


def serve(raw):
    global connections
    try:
        tls = context.wrap_socket(raw, server_side=True)
    except OSError:
        return
    with lock:
        connections += 1
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    connection.initiate_connection()
    tls.sendall(connection.data_to_send())
    requests = {}
    while data := tls.recv(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                requests[event.stream_id] = (dict(event.headers), bytearray())
            elif isinstance(event, h2.events.DataReceived):
                requests[event.stream_id][1].extend(event.data)
                connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                headers, body = requests.pop(event.stream_id)
                with lock:
                    status, extra, reply = answer(headers, bytes(body))
                connection.send_headers(event.stream_id, [(":status", str(status)), *extra.items()], not reply)
                for start in range(0, len(reply), 16384):
                    connection.send_data(event.stream_id, reply[start:start + 16384], start + 16384 >= len(reply))
        tls.sendall(connection.data_to_send())


def accept(listener):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
sys.stdin.read()
