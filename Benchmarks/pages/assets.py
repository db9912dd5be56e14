"""Compares the pages' files with the same bytes from nginx, in turn. Needs nginx and h2load. Started by run-pages.sh.

Usage: assets.py PROGRAMS ROUNDS SECONDS
PROGRAMS: the folder of findmybike-registry.

Both servers run on the first processor, one at a time under load, h2load on the second with 32 connections of HTTP/1.1
without TLS. nginx has one worker, and sends the registry's own Brotli bytes and header fields. Neither writes a log of
requests. Rates are per second of the server's processor time.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Pages"))
from stage import Registry, free_port  # noqa: E402

PROGRAMS, ROUNDS, SECONDS = sys.argv[1], int(sys.argv[2]), sys.argv[3]
NGINX = """\
daemon off; worker_processes 1; pid {0}/pid; error_log {0}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 100000000; server_tokens off; sendfile on; tcp_nopush on; etag off; if_modified_since off;
    open_file_cache max=100;
    client_body_temp_path {0}/t1; proxy_temp_path {0}/t2; fastcgi_temp_path {0}/t3; uwsgi_temp_path {0}/t4;
    scgi_temp_path {0}/t5;
    server {{ listen 127.0.0.1:{1}; root {0}/root; {2} }}
}}
"""
LEFT_OUT = {"content-length", "date", "server", "connection", "content-type", "keep-alive"}


def fetch(url):
    request = urllib.request.Request(url, headers={"Accept-Encoding": "br"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers, answer.read()


def nginx(folder, registry, paths):
    """nginx with a copy of the registry's answers."""
    root, locations, port = folder / "root", [], free_port()
    for path in paths:
        headers, body = fetch(registry.url + path)
        file = root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
        fields = " ".join(f"add_header {name} {json.dumps(value)};" for name, value in headers.items()
                          if name.lower() not in LEFT_OUT)
        locations.append(f"location = {path} {{ types {{}} default_type \"{headers['Content-Type']}\"; {fields} }}")
    settings = folder / "nginx.conf"
    settings.write_text(NGINX.format(folder, port, "\n".join(locations)))
    # As root, nginx would give its worker to another user, who may not read this folder.
    user = ["-g", "user root;"] if os.geteuid() == 0 else []
    process = subprocess.Popen(["/usr/sbin/nginx", "-e", folder / "error.log", "-c", settings, *user])
    for _ in range(100):
        try:
            assert fetch(f"http://127.0.0.1:{port}{paths[0]}")[1] == fetch(registry.url + paths[0])[1]
            return process, f"http://127.0.0.1:{port}"
        except OSError:
            time.sleep(0.1)
    raise SystemExit((folder / "error.log").read_text())


def processes(process):
    """The process and its children."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [process.pid, *map(int, children)]


def cpu(process):
    total = 0
    for pid in processes(process):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def load(process, url):
    """Requests per second, and per second of the server's processor time."""
    before = cpu(process)
    text = subprocess.run(
        ["taskset", "-c", "1", "h2load", "--h1", "-c", "32", "-D", SECONDS, "-H", "Accept-Encoding: br", url],
        capture_output=True, text=True, check=True).stdout
    done = int(re.search(r"status codes: (\d+) 2xx", text)[1])
    assert re.search(r"(\d+) failed", text)[1] == "0", text
    return done / float(SECONDS), done / (cpu(process) - before)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        registry = Registry(PROGRAMS, folder, more="log: {level: warning}\n")
        text = fetch(registry.url + "/my")[1]
        html = urllib.request.urlopen(registry.url + "/my", timeout=30).read().decode()
        build = re.search(r"/assets/(\w+)/", html)[1]
        paths = {"the shell": "/my", "a module": f"/assets/{build}/js/parts.js",
                 "the map library": f"/assets/{build}/vendor/leaflet/leaflet.js"}
        assert len(text) < len(html)
        server, url = nginx(folder, registry, list(paths.values()))
        for process in (registry.process, server):
            for pid in processes(process):
                subprocess.run(["taskset", "-acp", "0", str(pid)], capture_output=True, check=True)
        try:
            for what, path in paths.items():
                rounds = [(load(registry.process, registry.url + path), load(server, url + path)) for _ in range(ROUNDS)]
                ratios = sorted(ours[1] / theirs[1] for ours, theirs in rounds)
                ours, theirs = (statistics.median(pair[index][1] for pair in rounds) for index in (0, 1))
                print(f"  {what:16} {ours:9,.0f} per CPU second; nginx {theirs:9,.0f}; ratio "
                      f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)
        finally:
            server.terminate()
            server.wait(timeout=30)
            registry.stop()


main()
