"""HTTP/2 clients that a server on the Internet must cope with. Usage: http2.py CLIENT PORT [argument …]; prints JSON."""
import json
import socket
import ssl
import sys
import time

import h2.config
import h2.connection
import h2.events
import h2.settings
import hpack
import hyperframe.frame

PATIENCE = 60  # seconds, far longer than any time-out in the tests
GET = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/livez")]


def tls(port, receive_buffer=None):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    plain = socket.socket()
    if receive_buffer:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    plain.settimeout(PATIENCE)
    plain.connect(("127.0.0.1", port))
    client = context.wrap_socket(plain)
    assert client.selected_alpn_protocol() == "h2"
    return client


class Connection:
    def __init__(self, port, settings=None, receive_buffer=None):
        self.socket = tls(port, receive_buffer)
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(
            validate_outbound_headers=False, normalize_outbound_headers=False, header_encoding="utf-8"))
        if settings:
            self.h2.local_settings = h2.settings.Settings(client=True, initial_values=settings)
        self.h2.initiate_connection()
        self.send()
        self.ended = False
        self.goaway = None
        self.statuses, self.bodies, self.finished, self.resets = {}, {}, set(), {}

    def send(self, more=b""):
        self.socket.sendall(self.h2.data_to_send() + more)

    def request(self, headers=GET, end=True):
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, headers, end_stream=end)
        self.send()
        return stream

    def read(self):
        """Handles what the server sends next; notes if it ends the connection."""
        try:
            data = self.socket.recv(65536)
        except (ConnectionError, ssl.SSLError):
            data = b""
        if not data:
            self.ended = True
            return
        for event in self.h2.receive_data(data):
            match event:
                case h2.events.ResponseReceived():
                    self.statuses[event.stream_id] = int(dict(event.headers)[":status"])
                case h2.events.DataReceived():
                    self.bodies[event.stream_id] = self.bodies.get(event.stream_id, b"") + event.data
                    if event.flow_controlled_length:
                        self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                case h2.events.StreamEnded():
                    self.finished.add(event.stream_id)
                case h2.events.StreamReset():
                    self.resets[event.stream_id] = int(event.error_code)
                case h2.events.ConnectionTerminated():
                    self.goaway = int(event.error_code)
        try:
            self.send()
        except (ConnectionError, ssl.SSLError):
            self.ended = True

    def until(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not self.ended and not condition() and time.monotonic() < deadline:
            self.read()

    def until_answered(self, stream):
        self.until(lambda: stream in self.finished or stream in self.resets)

    def outcome(self, stream=None):
        problem = None
        if body := self.bodies.get(stream):
            problem = json.loads(body).get("type")
        return {"status": self.statuses.get(stream, 0), "problem": problem, "reset": self.resets.get(stream),
                "goaway": self.goaway, "ended": self.ended}


def silent_handshake(port):
    """Connects, and says nothing."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        return {"status": 0, "problem": None, "reset": None, "goaway": None, "ended": client.recv(1) == b""}


def silent(port):
    """Shakes hands, and pings, but requests nothing."""
    ended = {"status": 0, "problem": None, "reset": None, "goaway": None, "ended": True}
    try:
        connection = Connection(port)
    except (ConnectionError, ssl.SSLError):
        return ended  # the handshake took too long
    connection.socket.settimeout(0.05)
    deadline = time.monotonic() + PATIENCE
    while not connection.ended and time.monotonic() < deadline:
        try:
            connection.read()
        except TimeoutError:
            if not connection.ended:
                connection.h2.ping(b"12345678")
                try:
                    connection.send()
                except (ConnectionError, ssl.SSLError):
                    connection.ended = True
    return ended | {"ended": connection.ended}


def idle(port):
    connection = Connection(port)
    stream = connection.request()
    connection.until(lambda: False)
    return connection.outcome(stream)


def slow_body(port):
    connection = Connection(port)
    stream = connection.request([(":method", "POST"), (":scheme", "https"), (":authority", "a"),
                                 (":path", "/v1/station/enrolment"), ("content-type", "application/json"),
                                 ("content-length", "4000")], end=False)
    connection.socket.settimeout(0.05)
    for _ in range(4000):
        try:
            connection.read()
        except TimeoutError:
            connection.h2.send_data(stream, b" ")
            connection.send()
        if stream in connection.finished or connection.ended:
            break
    connection.socket.settimeout(PATIENCE)
    # The connection still serves other requests.
    other = connection.request()
    connection.until_answered(other)
    assert connection.statuses[other] == 200
    return connection.outcome(stream)


def no_window(port):
    """Lets the server send nothing of a response."""
    connection = Connection(port, {h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    stream = connection.request()
    connection.until_answered(stream)
    return connection.outcome(stream)


def pictures(port, count, path, token):
    """Requests a picture many times, lets the server send nothing of it, and then reads the last one. The status is 200
    only if all are 200 and the last one is complete."""
    connection = Connection(port, {h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    streams = [connection.request([*GET[:3], (":path", path), ("authorization", f"Bearer {token}")])
               for _ in range(int(count))]
    connection.until(lambda: len(connection.statuses) == len(streams))
    assert set(connection.statuses.values()) == {200}, connection.statuses
    last = streams[-1]
    connection.h2.increment_flow_control_window(2 ** 30, last)
    connection.h2.increment_flow_control_window(2 ** 30)
    connection.send()
    connection.until_answered(last)
    # The library has compared it with Content-Length.
    assert last in connection.finished and connection.bodies[last][-2:] == b"\xff\xd9"
    return connection.outcome() | {"status": 200}


def unread(port):
    """Opens all windows, requests far more than the buffers hold, and reads nothing until the server gives up."""
    connection = Connection(port, {h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 2 ** 31 - 1}, receive_buffer=4096)
    connection.h2.increment_flow_control_window(2 ** 31 - 1 - 65535)
    for _ in range(60):
        connection.request([*GET[:3], (":path", "/openapi.json")])
    deadline = time.monotonic() + PATIENCE
    connection.socket.settimeout(1)
    while time.monotonic() < deadline:
        try:
            # A closed connection refuses data after the first of them.
            connection.socket.sendall(b"\0\0\x08\x06\0\0\0\0\0" + b"12345678")
            time.sleep(0.3)
        except (ConnectionError, ssl.SSLError):
            return {"status": 0, "problem": None, "reset": None, "goaway": None, "ended": True}
    return {"status": 0, "problem": None, "reset": None, "goaway": None, "ended": False}


def headers(port, count, size):
    connection = Connection(port)
    stream = connection.request(GET + [(f"x-{number}", "a" * int(size)) for number in range(int(count))])
    connection.until_answered(stream)
    return connection.outcome(stream)


def odd_header(port):
    connection = Connection(port)
    stream = connection.request(GET + [("if-match", "\u0301")])
    connection.until_answered(stream)
    return connection.outcome(stream)


def continuation(port):
    """Sends a header that never ends (CVE-2024-27316)."""
    connection = Connection(port)
    block = hpack.Encoder().encode(GET)
    frame = hyperframe.frame.HeadersFrame(1, block, flags=["END_STREAM"])
    more = hyperframe.frame.ContinuationFrame(1, hpack.Encoder().encode([("x", "a" * 100)], huffman=False))
    connection.send(frame.serialize() + more.serialize() * 20)
    connection.until(lambda: False)
    return connection.outcome()


def rapid_reset(port):
    """Cancels each request at once (CVE-2023-44487)."""
    connection = Connection(port)
    try:
        for _ in range(1000):
            stream = connection.h2.get_next_available_stream_id()
            connection.h2.send_headers(stream, GET, end_stream=True)
            connection.h2.reset_stream(stream)
            connection.send()
    except (ConnectionError, ssl.SSLError):
        pass
    connection.until(lambda: False)
    return connection.outcome()


def made_reset(port):
    """Makes the server cancel each request (CVE-2025-8671): a window update of zero is a stream's error."""
    connection = Connection(port)
    try:
        for _ in range(1000):
            stream = connection.request()
            connection.send(hyperframe.frame.WindowUpdateFrame(stream, 0x7fffffff).serialize())
    except (ConnectionError, ssl.SSLError, h2.exceptions.ProtocolError):
        pass
    connection.until(lambda: False)
    return connection.outcome()


def pings(port):
    connection = Connection(port)
    try:
        for _ in range(1000):
            connection.h2.ping(b"12345678")
            connection.send()
    except (ConnectionError, ssl.SSLError):
        pass
    connection.until(lambda: False)
    return connection.outcome()


def crowd(port, share):
    """Opens more streams than its share of requests, then ends one of them and tries again."""
    connection = Connection(port)
    post = [(":method", "POST"), (":scheme", "https"), (":authority", "a"), (":path", "/v1/station/enrolment"),
            ("content-type", "application/json")]
    open_streams = [connection.request(post, end=False) for _ in range(int(share))]
    refused = connection.request()
    connection.until_answered(refused)
    outcome = connection.outcome(refused)
    connection.h2.end_stream(open_streams[0])
    connection.send()
    connection.until_answered(open_streams[0])
    deadline = time.monotonic() + PATIENCE
    again = 0
    while again != 200 and time.monotonic() < deadline:
        stream = connection.request()
        connection.until_answered(stream)
        again = connection.statuses.get(stream, 0)
    return outcome | {"status": again}


def many(port):
    """What the server announces, and a stream more than that."""
    connection = Connection(port)
    connection.until(lambda: connection.h2.remote_settings.max_concurrent_streams < 2 ** 31)
    limit = connection.h2.remote_settings.max_concurrent_streams
    post = [(":method", "POST"), (":scheme", "https"), (":authority", "a"), (":path", "/v1/station/enrolment"),
            ("content-type", "application/json")]
    for _ in range(limit):
        connection.request(post, end=False)
    encoder = hpack.Encoder()
    connection.send(hyperframe.frame.HeadersFrame(
        2 * limit + 1, encoder.encode(post), flags=["END_HEADERS"]).serialize())
    connection.until(lambda: bool(connection.resets) or connection.goaway is not None)
    return connection.outcome(2 * limit + 1) | {"status": limit}


def drained(port):
    """Begins a request, and completes it when the server has said that it serves no new ones."""
    connection = Connection(port)
    stream = connection.request([(":method", "POST"), (":scheme", "https"), (":authority", "a"),
                                 (":path", "/v1/station/enrolment"), ("content-type", "application/json")], end=False)
    connection.h2.send_data(stream, b'{"code":')
    connection.send()
    connection.until(lambda: connection.goaway is not None)
    # The library sends nothing after a GOAWAY, but the stream is still served.
    connection.send(hyperframe.frame.DataFrame(stream, b'"AAAA"}', flags=["END_STREAM"]).serialize())
    decoder, received = hpack.Decoder(), b""
    while True:
        try:
            data = connection.socket.recv(65536)
        except (ConnectionError, ssl.SSLError):
            data = b""
        if not data:
            break
        received += data
    status, body = 0, b""
    while len(received) >= 9:
        frame, length = hyperframe.frame.Frame.parse_frame_header(memoryview(received[:9]))
        frame.parse_body(memoryview(received[9:9 + length]))
        received = received[9 + length:]
        if isinstance(frame, hyperframe.frame.HeadersFrame):
            status = int(dict(decoder.decode(frame.data))[":status"])
        elif isinstance(frame, hyperframe.frame.DataFrame):
            body += frame.data
    return connection.outcome() | {
        "status": status, "problem": json.loads(body)["type"] if body else None, "ended": True}


def follow(port):
    """Follows a trail with as many live streams as an owner may have, then resets one of them and tries again."""
    connection = Connection(port)

    def post(path, body, token=None):
        data = json.dumps(body).encode()
        fields = [(":method", "POST"), (":scheme", "https"), (":authority", "a"), (":path", path),
                  ("content-type", "application/json"), ("content-length", str(len(data)))]
        stream = connection.request(fields + ([("authorization", f"Bearer {token}")] if token else []), end=False)
        connection.h2.send_data(stream, data, end_stream=True)
        connection.send()
        connection.until_answered(stream)
        return json.loads(connection.bodies[stream])

    token = post("/v1/owners", {})["token"]
    bike = post("/v1/bikes", {"kind": "bicycle", "make": "A", "model": "B", "colours": ["black"]}, token)["id"]
    report = post(f"/v1/bikes/{bike}/reports", {}, token)["id"]
    live = [(":method", "GET"), (":scheme", "https"), (":authority", "a"), ("accept", "text/event-stream"),
            ("authorization", f"Bearer {token}"), (":path", f"/v1/bikes/{bike}/reports/{report}/sightings")]
    live.sort(key=lambda field: not field[0].startswith(":"))

    def open_stream():
        stream = connection.request(live)
        connection.until(lambda: stream in connection.statuses)
        return stream

    streams = [open_stream() for _ in range(5)]
    assert all(connection.statuses[stream] == 200 for stream in streams), connection.statuses
    refused = open_stream()
    connection.until_answered(refused)
    connection.h2.reset_stream(streams[0])
    connection.send()
    deadline = time.monotonic() + PATIENCE
    again = 0
    while again != 200 and time.monotonic() < deadline:
        again = connection.statuses[open_stream()]
    return connection.outcome(refused) | {"status": again}


if __name__ == "__main__":
    name, port, *arguments = sys.argv[1:]
    print(json.dumps(globals()[name.replace("-", "_")](int(port), *arguments)))
