"""Forwards advertisements through 20 Bluetooth proxies to the monitor, or to aioesphomeapi, and measures the listener.

Usage: receivers.py monitor MONITOR | receivers.py peer. Each proxy forwards 200 advertisements a second for half a
minute, first unencrypted, then with Noise. Prints the advertisements that were lost, the share of a core that the listener
used, and for the monitor its own memory (RssAnon). The proxies are those of the tests, made of aioesphomeapi's messages.
"""

import asyncio
import importlib.util
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import urllib.request

PROXIES, BATCH, RATE, SECONDS = 20, 16, 12.5, 30
KEY = "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc="
TOTAL = int(PROXIES * BATCH * RATE * SECONDS)
PORT = 18_099
here = pathlib.Path(__file__).parent


def adverts(path):
    """What a street sounds like: mostly Apple's other messages, one iBeacon in sixteen, random addresses."""
    chance = random.Random(1)
    lines = []
    for index in range(BATCH):
        beacon = bytes.fromhex("1aff4c000215") + chance.randbytes(20) + b"\xc5"
        other = bytes.fromhex("02011a0cff4c001007") + chance.randbytes(7)
        data = beacon if index == 0 else other
        lines.append(f"{chance.getrandbits(48):012X} 1 {chance.randint(-95, -50)} {data.hex()}\n")
    path.write_text("".join(lines), encoding="ascii")


async def serve(folder, key):
    adverts(folder / "adverts.txt")
    sys.argv = ["proxy", str(folder / "adverts.txt"), "--times", str(int(RATE * SECONDS)), "--rate", str(RATE),
                "--most", str(PROXIES)] + (["--key", key] if key else [])
    path = here / "../Tests/Radio/ESPHomeTests/Fixtures/proxy.py"
    specification = importlib.util.spec_from_file_location("proxy", path)
    proxy = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(proxy)
    servers = [await asyncio.start_server(proxy.connected, "127.0.0.1", 0) for _ in range(PROXIES)]
    return servers, [server.sockets[0].getsockname()[1] for server in servers]


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid):
    return int(re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


async def measure(process, heard, name):
    """Measures ten seconds in the middle of the run, then waits for the end."""
    while await heard() < TOTAL / 6:
        await asyncio.sleep(0.5)
    before, start, loop = cpu(process.pid), await heard(), asyncio.get_running_loop()
    began = loop.time()
    await asyncio.sleep(10)
    share = (cpu(process.pid) - before) / (loop.time() - began)
    rate = (await heard() - start) / (loop.time() - began)
    own = memory(process.pid)
    count, last = -1, await heard()
    while count != last:
        await asyncio.sleep(3)
        count, last = last, await heard()
    print(f"{name}: {rate:.0f} adverts/s, {share:.1%} of a core, RssAnon {own} kB, lost {TOTAL - last} of {TOTAL}")


async def monitor(program, key):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        servers, ports = await serve(folder, key)
        (folder / "token").write_text("token\n")
        (folder / "key").write_text(KEY + "\n")
        (folder / "key").chmod(0o600)
        lines = [
            "registry:", "  url: http://127.0.0.1:1", "station:", f"  tokenFile: {folder}/token", f"state: {folder}",
            "status:", f"  socket: {folder}/status.sock", f"  port: {PORT}", "radio:", "  backend: none", "receivers:"]
        for index, port in enumerate(ports):
            lines += [f"  - name: proxy{index}", f"    esphome: 127.0.0.1:{port}"]
            lines += [f"    keyFile: {folder}/key"] if key else []
        (folder / "monitor.yaml").write_text("\n".join(lines) + "\n")

        def total():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/metrics", timeout=5) as answer:
                    text = answer.read().decode()
            except OSError:
                return 0
            return sum(int(float(n)) for n in re.findall(r"radio_reports_total\{[^}]*\} (\S+)", text))

        process = subprocess.Popen([program, "--config", str(folder / "monitor.yaml")], stderr=subprocess.DEVNULL)
        try:
            await measure(process, lambda: asyncio.to_thread(total), "monitor" + (", Noise" if key else ""))
        finally:
            process.terminate()
            process.wait()
            for server in servers:
                server.close()


LISTENER = """
import asyncio, sys
from aioesphomeapi import APIClient
count = 0
def note(response):
    global count
    count += len(response.advertisements)
async def main():
    key = sys.argv[1] or None
    clients = [APIClient("127.0.0.1", int(port), None, noise_psk=key) for port in sys.argv[2:]]
    for client in clients:
        await client.connect(login=True)
        client.subscribe_bluetooth_le_raw_advertisements(note)
    while True:
        await asyncio.sleep(0.2)
        print(count, flush=True)
asyncio.run(main())
"""


async def peer(key):
    with tempfile.TemporaryDirectory() as name:
        servers, ports = await serve(pathlib.Path(name), key)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LISTENER, key or "", *map(str, ports), stdout=subprocess.PIPE)
        latest = 0

        async def read():
            nonlocal latest
            async for line in process.stdout:
                latest = int(line)

        async def heard():
            return latest

        reading = asyncio.create_task(read())
        try:
            await measure(process, heard, "aioesphomeapi" + (", Noise" if key else ""))
        finally:
            process.kill()
            reading.cancel()
            for server in servers:
                server.close()


program = sys.argv[2] if len(sys.argv) > 2 else ""
mode = sys.argv[1]
for chosen in (None, KEY):
    asyncio.run(monitor(program, chosen) if mode == "monitor" else peer(chosen))
