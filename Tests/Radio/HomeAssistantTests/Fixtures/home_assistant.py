"""A Home Assistant with two Bluetooth proxies, as far as its WebSocket API is used: the messages are those that Home
Assistant Core 2026.2.3 sent (see recorded.txt). WebSockets are those of the library websockets.

Prints its port. TOKEN is the only valid token. Each history has the same two beacons, heard just now; in the first one
of a connection, heard when it was opened, so that a busy machine makes them no newer. With --live, both are also reported
every tenth of a second, as if their data changed. With --supervisor, it is behind a Supervisor, whose answers are those
of its documentation.
"""

import argparse
import asyncio
import email.utils
import http
import json
import ssl
import time

from websockets.asyncio.server import serve

TOKEN = "a.long-lived.access-token"
SUPERVISOR = {
    "/core/api/config": {"latitude": 51.5007, "longitude": -0.1246, "radius": 30, "location_name": "Home"},
    "/services/mqtt": {"result": "ok", "data": {
        "addon": "core_mosquitto", "host": "core-mosquitto", "port": 1883, "ssl": False, "protocol": "3.1.1",
        "username": "addons", "password": "a broker's password"}},
}
PROXIES = [("AA:00:00:00:00:01", "kitchen"), ("AA:00:00:00:00:02", "yard")]

options = argparse.ArgumentParser()
options.add_argument("--fault", default="")
options.add_argument("--beacon", default="0215fda50693a4e24fb1afcfc6eb0764782500010002c5")
options.add_argument("--live", action="store_true")
options.add_argument("--supervisor", action="store_true")
options.add_argument("--port", type=int, default=0)
options.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"))
options = options.parse_args()
connections = 0


def details(proxy):
    address, name = proxy
    return {"name": f"{name} ({address})", "connectable": True, "source": address, "adapter": name}


def advert(number, heard):
    return {
        "name": f"DE:AD:BE:EF:00:0{number}", "address": f"DE:AD:BE:EF:00:0{number}", "rssi": -60 - number,
        "manufacturer_data": {"76": options.beacon}, "service_data": {}, "service_uuids": [],
        "source": PROXIES[number % 2][0], "connectable": False, "time": heard, "tx_power": -127, "raw": None,
    }


def result(id, error=None):
    if error:
        return {"id": id, "type": "result", "success": False, "error": {"code": error, "message": "Refused."}}
    return {"id": id, "type": "result", "success": True, "result": None}


def event(id, content):
    return {"id": id, "type": "event", "event": content}


def answers(command, now):
    """The answers to a command."""
    id = command["id"]
    match command["type"]:
        case "bluetooth/subscribe_scanner_details":
            if options.fault in ("old", "plain"):
                return [result(id, "unknown_command" if options.fault == "old" else "unauthorized")]
            return [result(id), event(id, {"add": [details(proxy) for proxy in PROXIES]})]
        case "bluetooth/subscribe_advertisements":
            if options.fault in ("old", "plain"):
                return [result(id, "unknown_command" if options.fault == "old" else "unauthorized")]
            history = [] if options.fault == "deaf" else [advert(1, now), advert(2, now)]
            if options.fault == "stutter" and connections > 1:
                history = [advert(1, now - 50)]
            if options.fault == "crowd":
                return [result(id), event(id, {"add": ["x" * (40 << 20)]}), event(id, {"add": history})]
            return [result(id), event(id, {"add": history})]
        case "unsubscribe_events":
            return [result(id)]
    return [result(id, "unknown_command")]


async def report(connection, id):
    while True:
        await asyncio.sleep(0.1)
        await connection.send(json.dumps(event(id, {"add": [advert(number, time.time()) for number in (1, 2)]})))


async def converse(connection):
    global connections
    connections += 1
    version = "2024.12.5" if options.fault == "old" else "2026.2.3"
    if options.fault == "silent":
        await connection.wait_closed()
    if options.fault == "garbage":
        await connection.send("hello")
    if options.fault == "binary":
        await connection.send(b"hello")
    if options.fault == "huge":
        await connection.send("x" * (33 << 20))
    await connection.send(json.dumps({"type": "auth_required", "ha_version": version}))
    if json.loads(await connection.recv()) != {"type": "auth", "access_token": TOKEN}:
        await connection.send(json.dumps({"type": "auth_invalid", "message": "Invalid access token or password"}))
        return
    await connection.send(json.dumps({"type": "auth_ok", "ha_version": version}))
    last = 0
    live = None
    opened = email.utils.parsedate_to_datetime(connection.response.headers["Date"]).timestamp()
    async for text in connection:
        command = json.loads(text)
        if options.fault == "stutter" and 1 < connections < 7 and command["type"] == "bluetooth/subscribe_advertisements":
            return
        # Home Assistant refuses identifiers that do not increase.
        assert command["id"] > last, text
        last = command["id"]
        for message in answers(command, opened or time.time()):
            text = json.dumps(message)
            # In fragments, with a ping between them.
            await connection.send([text[:7], text[7:]])
            await connection.ping()
        if command["type"] != "bluetooth/subscribe_advertisements":
            continue
        opened = None
        if options.fault in ("restart", "stutter") and connections == 1:
            return
        if options.live:
            if live:
                live.cancel()
            live = asyncio.create_task(report(connection, command["id"]))


async def refuse(connection, request):
    if options.fault == "mute" and request.path in SUPERVISOR:
        await asyncio.Event().wait()
    if options.fault == "banned":
        return connection.respond(http.HTTPStatus.FORBIDDEN, "403: Forbidden\n")
    if options.fault == "control":
        SUPERVISOR["/services/mqtt"]["data"]["username"] = "a\0b"
    if options.supervisor and request.path in SUPERVISOR:
        is_known = request.headers.get("Authorization") == f"Bearer {TOKEN}"
        is_there = is_known and options.fault != "plain"
        status = http.HTTPStatus.OK if is_there else http.HTTPStatus.BAD_REQUEST if is_known else http.HTTPStatus.UNAUTHORIZED
        return connection.respond(status, json.dumps(SUPERVISOR[request.path] if is_there else {"result": "error"}))
    path = "/core/api/websocket" if options.supervisor else "/api/websocket"
    return None if request.path == path else connection.respond(http.HTTPStatus.NOT_FOUND, "404\n")


async def main():
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH) if options.tls else None
    if tls:
        tls.load_cert_chain(*options.tls)
    # No client is too slow: a test may run on a busy machine.
    async with serve(converse, "127.0.0.1", options.port, ssl=tls, process_request=refuse, max_size=1 << 20,
                     open_timeout=3600, close_timeout=3600, ping_interval=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


asyncio.run(main())
