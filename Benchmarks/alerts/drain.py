"""Measures how many alerts a second the registry sends over HTTP/2 to one local server in place of Apple's.

An owner with that many devices makes a token, and each device gets a notice. The time runs from that call until no
alert waits. For comparison h2load sends as many requests of the same size over one connection. Arguments: the folder of
the programs, and the number of alerts.
"""

import concurrent.futures
import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

NGINX = """\
daemon off; worker_processes 1; pid {0}/pid; error_log {0}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 100000000; http2_max_concurrent_streams 1000;
    client_body_temp_path {0}/t1; proxy_temp_path {0}/t2; fastcgi_temp_path {0}/t3; uwsgi_temp_path {0}/t4;
    scgi_temp_path {0}/t5;
    server {{
        listen 127.0.0.1:{1} ssl http2; ssl_certificate {0}/server.pem; ssl_certificate_key {0}/server.key;
        # A body that nobody reads would end in RST_STREAM, which libcurl treats as a failure.
        location / {{ proxy_pass http://inner; proxy_http_version 1.1; proxy_set_header Connection ""; }}
    }}
    upstream inner {{ server 127.0.0.1:{2}; keepalive 64; }}
    server {{ listen 127.0.0.1:{2}; location / {{ return 200; }} }}
}}
"""
SETTINGS = """\
listen: 127.0.0.1:{2}
database: {0}/registry.sqlite
metrics: {{listen: "127.0.0.1:{3}"}}
limits: {{address: "off", token: "off", wrongTokens: "off", owners: "off", codes: "off", finds: "off", messages: "off"}}
apns:
  keyFile: {0}/apns.p8
  keyID: ABC123DEFG
  teamID: DEF123GHIJ
  topic: org.example.FindMyBike
  production: https://localhost:{1}
  certificateAuthority: {0}/server.pem
log: {{level: warning}}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def until(condition):
    while True:
        try:
            if condition():
                return
        except OSError:
            pass
        time.sleep(0.02)


def waiting(port):
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    return int(float(re.search(r"^findmybike_alerts_waiting (\S+)", text, re.M)[1]))


def add_devices(port, token, numbers):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    for number in numbers:
        draft = {"kind": "apns", "url": f"{number:064x}", "environment": "production"}
        connection.request("POST", "/v1/channels", json.dumps(draft), headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 201, answer.status


def main(programs, count):
    with tempfile.TemporaryDirectory() as folder:
        ports = [free_port() for _ in range(4)]
        pathlib.Path(folder, "nginx.conf").write_text(NGINX.format(folder, ports[0], ports[3]))
        pathlib.Path(folder, "registry.yaml").write_text(SETTINGS.format(folder, *ports))
        subprocess.run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost "
            "-addext subjectAltName=DNS:localhost -keyout server.key -out server.pem 2>/dev/null && "
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out apns.p8 && chmod 600 apns.p8 && "
            "head -c 600 /dev/zero >alert", shell=True, check=True, cwd=folder)
        nginx = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
        registry = subprocess.Popen(
            [f"{programs}/findmybike-registry", "serve", "--config", f"{folder}/registry.yaml"])
        try:
            until(lambda: socket.create_connection(("127.0.0.1", ports[0])).close() is None)
            until(lambda: waiting(ports[2]) == 0)
            measure(folder, ports, count)
        finally:
            for process in (registry, nginx):
                process.terminate()
                process.wait()


def measure(folder, ports, count):
    url = f"https://localhost:{ports[0]}/3/device/00"
    report = subprocess.run(
        ["h2load", "-n", str(count), "-c", "1", "-m", "500", "-d", f"{folder}/alert", url],
        capture_output=True, text=True, check=True).stdout
    limit = float(re.search(r"([\d.]+) req/s", report)[1])
    base = f"http://127.0.0.1:{ports[1]}"
    owner = json.load(urllib.request.urlopen(urllib.request.Request(f"{base}/v1/owners", b"", method="POST")))["token"]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda part: add_devices(ports[1], owner, range(part, count, 16)), range(16)))
    headers = {"Authorization": f"Bearer {owner}", "Content-Type": "application/json"}
    body = json.dumps({"name": "new", "scope": "read"}).encode()
    start = time.monotonic()
    urllib.request.urlopen(urllib.request.Request(f"{base}/v1/owner/tokens", body, headers))
    until(lambda: waiting(ports[2]) == 0)
    rate = count / (time.monotonic() - start)
    print(f"h2load        {limit:8.0f} requests/s")
    print(f"from the queue{rate:8.0f} alerts/s, {rate / limit:.2f} of it")


main(sys.argv[1], int(sys.argv[2]))
