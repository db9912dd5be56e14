"""Clients that a server on the Internet must cope with. Usage: clients.py CLIENT PORT [argument …]; prints JSON."""
import json
import os
import re
import shutil
import socket
import ssl
import sys
import time

PATIENCE = 60  # seconds, far longer than any time-out in the tests


def connect(port, receive_buffer=None):
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    return client


def rest(client):
    """Everything that the server sends until it ends the connection."""
    received = b""
    try:
        while data := client.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


def answer(received):
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    status = int(lines[0].split()[1]) if lines[0] else 0
    problem = json.loads(body)["type"] if b"problem+json" in head else None
    return {"status": status, "problem": problem, "ended": True}


def exchange(client, request):
    """Sends a request on a connection that stays open; returns the head of the response."""
    client.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        received += client.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
    while len(body) < int(fields.get("content-length", 0)):
        body += client.recv(65536)
    return head.decode()


def drip(client, data):
    """Sends a byte at a time, until the server ends the connection."""
    try:
        for byte in data:
            client.sendall(bytes([byte]))
            client.settimeout(0.05)
            try:
                if not (received := client.recv(65536)):
                    return b""
                client.settimeout(PATIENCE)
                return received + rest(client)
            except TimeoutError:
                pass
    except (BrokenPipeError, ConnectionResetError):
        return b""
    raise SystemExit("the server took it all")


def slow_header(port):
    return answer(drip(connect(port), b"GET /livez HTTP/1.1\r\nX: " + b"a" * 4000))


def slow_body(port):
    client = connect(port)
    client.sendall(b"POST /v1/station/enrolment HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                   b"Content-Length: 4000\r\n\r\n")
    return answer(drip(client, b" " * 4000))


def silent(port):
    return answer(rest(connect(port)))


def idle(port):
    client = connect(port)
    head = exchange(client, b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    return {"status": int(head.split()[1]), "problem": None, "ended": rest(client) == b""}


def unread(port):
    """Requests far more than the buffers hold, and reads nothing until the server gives up."""
    client = connect(port, receive_buffer=4096)
    client.setblocking(False)
    deadline = time.monotonic() + PATIENCE
    request = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
    while time.monotonic() < deadline:
        try:
            client.send(request * 10)
        except BlockingIOError:
            time.sleep(0.01)
        except (BrokenPipeError, ConnectionResetError):
            return {"status": 0, "problem": None, "ended": True}
    return {"status": 0, "problem": None, "ended": False}


def request(port, text):
    client = connect(port)
    client.sendall(text.encode().decode("unicode_escape").encode("latin-1"))
    return answer(rest(client))


def paused(port, path, token, body, ender, end):
    """Sends a request without its body; ends what it came with by another one; then sends the body."""
    client = connect(port)
    client.sendall((f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n").encode())
    # The server authenticates it meanwhile. If it is slower, it refuses the request in any case.
    time.sleep(0.5)
    head = exchange(connect(port), f"DELETE {end} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {ender}\r\n\r\n".encode())
    assert head.split()[1] in ("200", "204"), head
    client.sendall(body.encode())
    return answer(rest(client))


def pipelined(port, text):
    """Sends several requests at once; returns the statuses of all responses."""
    client = connect(port)
    client.sendall(text.encode().decode("unicode_escape").encode("latin-1"))
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3})", rest(client))]


def huge_header(port):
    client = connect(port)
    client.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 10_000 + b"\r\n\r\n")
    return answer(rest(client))


def long_url(port):
    client = connect(port)
    client.sendall(b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    return answer(rest(client))


def drained(port, draining):
    """Begins a request, and completes it when the server, which drains once a file exists, accepts no new connections:
    these wait until it ends."""
    client = connect(port)
    client.sendall(b"POST /v1/station/enrolment HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                   b"Content-Length: 15\r\n\r\n{\"code\":")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not os.path.exists(draining):
            time.sleep(0.02)
            continue
        try:
            other = connect(port)
            other.settimeout(1)
            other.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            if not other.recv(65536):
                break
        except (TimeoutError, ConnectionError):
            break
    client.sendall(b"\"AAAA\"}")
    return answer(rest(client))


def waiting(port, token):
    """Requests the next change of the missing list, pipelines another request, and then sends nothing more."""
    client = connect(port)
    question = f"GET /v1/missing HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n".encode()
    head = exchange(client, question + b"\r\n")
    tag = next(line.split(": ", 1)[1] for line in head.split("\r\n") if line.lower().startswith("etag: "))
    client.sendall(question + f"If-None-Match: {tag}\r\nPrefer: wait=900\r\n\r\n".encode()
                   + b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    client.shutdown(socket.SHUT_WR)
    received = rest(client)
    return [int(line.split()[1]) for line in received.decode().split("\r\n") if line.startswith("HTTP/1.1 ")]


def crowd(port, share):
    """Opens more connections than its share, then closes one of them and tries again."""
    get = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
    clients = [connect(port) for _ in range(int(share))]
    served = [exchange(client, get).startswith("HTTP/1.1 200") for client in clients]
    refused = rest(connect(port)) == b""
    clients.pop().close()
    deadline = time.monotonic() + PATIENCE
    again = False
    while not again and time.monotonic() < deadline:
        with connect(port) as client:
            try:
                client.sendall(get)
                again = client.recv(65536).startswith(b"HTTP/1.1 200")
            except ConnectionError:
                pass
    return {"served": all(served), "refused": refused, "again": again}


def steady(port, count):
    """Requests far more than all buffers hold, and reads it slowly, but steadily; returns the number of whole responses."""
    client = connect(port, receive_buffer=32768)
    request = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n"
    client.sendall((request + b"\r\n") * (int(count) - 1) + request + b"Connection: close\r\n\r\n")
    received = bytearray()
    try:
        while data := client.recv(65536):
            received += data
            time.sleep(len(data) / 2_000_000)
    except ConnectionResetError:
        pass
    whole = 0
    while b"\r\n\r\n" in received:
        head, _, received = received.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        whole += head.startswith(b"HTTP/1.1 200") and len(received) >= length
        received = received[length:]
    return whole


def stalled_uploads(port, *calls):
    """Begins uploads that stall, the first of them with the least, each from an address of its own; and then sends a
    whole one. Returns the problems that they get."""
    def begin(number, token, path, length, body):
        client = socket.socket()
        client.bind((f"127.0.0.{number + 2}", 0))
        client.settimeout(PATIENCE)
        client.connect(("127.0.0.1", port))
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: image/jpeg\r\nConnection: close\r\n"
                       f"Authorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n".encode() + body)
        return client

    pairs = list(zip(calls[::2], calls[1::2]))
    clients = [begin(number, *pair, 1_000_000, b"a" * (1000 if number == 0 else 500_000))
               for number, pair in enumerate(pairs[:-1])]
    # The server gives them their places meanwhile, and reads what they have sent.
    deadline = time.monotonic() + PATIENCE
    while any(row[4].split(":")[1].strip("0") for row in connections(port)) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(1)
    last = answer(rest(begin(len(clients), *pairs[-1], 3, b"abc")))
    problems = [answer(rest(clients[0]))["problem"]]
    for client in clients[1:]:
        client.settimeout(0.2)
        try:
            problems.append(answer(client.recv(65536))["problem"])
        except TimeoutError:
            problems.append(None)
    return {"stalled": problems, "last": last["problem"]}


def connections(port):
    """The server's sockets that have a connection: rows of /proc/net/tcp (proc_pid_net(5))."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return [row for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"]


def keep_alive(port):
    """The timers of the server's sockets that have a connection."""
    with connect(port) as client:
        exchange(client, b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        deadline = time.monotonic() + PATIENCE
        timers = []
        while not any(timer.startswith("02:") for timer in timers) and time.monotonic() < deadline:
            timers = [row[5] for row in connections(port)]
            time.sleep(0.02)
        return timers


def certificate(port, path, new_path, key_path, new_key_path):
    """Replaces the certificate while a connection is open."""
    def tls():
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context.wrap_socket(connect(port))

    get = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
    old = tls()
    first = old.getpeercert(True)
    before = exchange(old, get)
    shutil.copyfile(new_path, path)  # for a moment, the two files do not match
    shutil.copyfile(new_key_path, key_path)
    deadline = time.monotonic() + PATIENCE
    replaced = False
    while not replaced and time.monotonic() < deadline:
        with tls() as client:
            replaced = client.getpeercert(True) != first and exchange(client, get).startswith("HTTP/1.1 200")
        time.sleep(0.02)
    return {
        "replaced": replaced,
        "kept": before.startswith("HTTP/1.1 200") and exchange(old, get).startswith("HTTP/1.1 200"),
        "version": old.version(),
        "hsts": "strict-transport-security" in before.lower(),
    }


if __name__ == "__main__":
    name, port, *arguments = sys.argv[1:]
    print(json.dumps(globals()[name.replace("-", "_")](int(port), *arguments)))
