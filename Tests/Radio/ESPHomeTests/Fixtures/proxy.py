"""A Bluetooth proxy of ESPHome, made of aioesphomeapi's own messages, and of its own library for Noise.

Prints its port, then serves. Every subscriber gets the advertisements of a file, in messages of 16 as real proxies send
them: lines of address, address type, RSSI and data, in hexadecimal digits but for the RSSI. With --fault it breaks the
protocol in one way. With “-” in place of the file, it forwards each line of its input as it comes.
"""

import argparse
import asyncio
import base64
import sys

from aioesphomeapi import api_options_pb2, api_pb2
from noise.connection import NoiseConnection

PASSIVE, RAW, STATE = 1 << 0, 1 << 5, 1 << 6

parser = argparse.ArgumentParser()
parser.add_argument("adverts")
parser.add_argument("--key")
parser.add_argument("--fault", default="")
parser.add_argument("--times", type=int, default=1)
parser.add_argument("--rate", type=float, default=0, help="messages a second; 0 for all at once")
parser.add_argument("--most", type=int, default=1, help="how many subscribers are served; real proxies serve one")
parser.add_argument("--newest", action="store_true", help="serve the newest subscriber, as ESPHome 2026.7 and later do")
parser.add_argument("--counting", action="store_true", help="the last four bytes of each advertisement count")
parser.add_argument("--no-connections", action="store_true", help="as firmware for proxies without connections")
parser.add_argument("--name", default="cafe-proxy")
parser.add_argument("--address", default="AA:BB:CC:DD:EE:FE", help="of its Bluetooth")
options = parser.parse_args()

subscribers = set()


def number(message):
    return message.DESCRIPTOR.GetOptions().Extensions[api_options_pb2.id]


MESSAGES = {
    number(kind): kind
    for kind in vars(api_pb2).values()
    if isinstance(kind, type) and hasattr(kind, "DESCRIPTOR") and number(kind)
}


def add(message, line, count=None):
    address, kind, rssi, *digits = line.split()
    data = bytes.fromhex("".join(digits))
    if count is not None:
        data = data[:-4] + count.to_bytes(4, "big")
    message.advertisements.add(address=int(address, 16), address_type=int(kind, 16), rssi=int(rssi), data=data)


def messages():
    with open(options.adverts, encoding="ascii") as lines:
        adverts = [line for line in lines if line.strip()]
    for start in range(0, len(adverts) * options.times, 16):
        message = api_pb2.BluetoothLERawAdvertisementsResponse()
        for index in range(start, min(start + 16, len(adverts) * options.times)):
            add(message, adverts[index % len(adverts)], index if options.counting else None)
        yield message


class Closed(Exception):
    """The connection ends here."""


class Plain:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def open(self):
        first = await self.reader.readexactly(1)
        if first != b"\0":
            # As ESPHome says it.
            words = b"\0Bad indicator byte"
            self.writer.write(b"\0" + bytes([len(words)]) + words)
            raise Closed
        self.first = True

    async def varint(self):
        result, shift = 0, 0
        while True:
            (byte,) = await self.reader.readexactly(1)
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                return result
            shift += 7

    async def receive(self):
        if not self.first:
            assert await self.reader.readexactly(1) == b"\0"
        self.first = False
        length, kind = await self.varint(), await self.varint()
        return kind, await self.reader.readexactly(length)

    def send(self, kind, data):
        self.writer.write(b"\0" + self.encoded(len(data)) + self.encoded(kind) + data)

    @staticmethod
    def encoded(value):
        result = b""
        while value > 0x7F:
            result += bytes([value & 0x7F | 0x80])
            value >>= 7
        return result + bytes([value])


class Noise:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def write(self, data):
        self.writer.write(b"\1" + len(data).to_bytes(2, "big") + data)

    async def read(self):
        mark = await self.reader.readexactly(1)
        if mark != b"\1":
            self.write(b"\1Bad indicator byte")
            raise Closed
        return await self.reader.readexactly(int.from_bytes(await self.reader.readexactly(2), "big"))

    async def open(self):
        greeting = await self.read()
        self.noise = NoiseConnection.from_name(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256")
        self.noise.set_as_responder()
        self.noise.set_psks(base64.b64decode(options.key))
        self.noise.set_prologue(b"NoiseAPIInit" + len(greeting).to_bytes(2, "big") + greeting)
        self.noise.start_handshake()
        self.write(b"\1" + b"cafe-proxy\0" + b"aabbccddeeff\0")
        request = await self.read()
        assert request[0] == 0
        try:
            self.noise.read_message(request[1:])
        except Exception as error:
            self.write(b"\1Handshake MAC failure")
            raise Closed from error
        answer = self.noise.write_message()
        if options.fault == "zero-key":
            answer = bytes(32) + answer[32:]
        self.write(b"\0" + answer)

    async def receive(self):
        plain = self.noise.decrypt(await self.read())
        return int.from_bytes(plain[:2], "big"), plain[4:]

    def send(self, kind, data):
        sealed = bytearray(self.noise.encrypt(kind.to_bytes(2, "big") + len(data).to_bytes(2, "big") + data))
        if options.fault == "forged" and kind == 93:
            sealed[5] ^= 1
        self.write(bytes(sealed))
        if options.fault == "replayed" and kind == 93:
            self.write(bytes(sealed))


class Device:
    def __init__(self, reader, writer):
        self.link = (Noise if options.key else Plain)(reader, writer)
        self.writer = writer
        self.mode = api_pb2.BLUETOOTH_SCANNER_MODE_ACTIVE
        self.sending = None

    def send(self, message):
        self.link.send(number(message), message.SerializeToString())

    def answer(self, message):
        name = type(message).__name__
        if options.fault == f"close-{name}":
            raise Closed
        if options.fault == f"ignore-{name}":
            return
        handler = getattr(self, f"on_{name}", None)
        if handler:
            handler(message)

    def on_HelloRequest(self, message):
        if options.newest:
            print(message.client_info, flush=True)
        major = 9 if options.fault == "new" else 1
        self.send(api_pb2.HelloResponse(api_version_major=major, api_version_minor=12, server_info="test", name=options.name))

    def on_AuthenticationRequest(self, _):
        self.send(api_pb2.AuthenticationResponse(invalid_password=options.fault == "password"))

    def on_PingRequest(self, _):
        self.send(api_pb2.PingResponse())

    def on_DisconnectRequest(self, _):
        self.send(api_pb2.DisconnectResponse())
        raise Closed

    def on_DeviceInfoRequest(self, _):
        flags = {"not-a-proxy": 0, "old": PASSIVE}.get(options.fault, PASSIVE | RAW | STATE)
        self.send(
            api_pb2.DeviceInfoResponse(
                name=options.name, mac_address="F" + options.address[1:], bluetooth_mac_address=options.address,
                esphome_version="2026.10.0", model="esp32", bluetooth_proxy_feature_flags=flags))

    def on_ListEntitiesRequest(self, _):
        self.send(api_pb2.ListEntitiesDoneResponse())

    def on_SubscribeBluetoothLEAdvertisementsRequest(self, message):
        if message.flags != 1 or len(subscribers) >= options.most and not options.newest:
            return
        if options.newest:
            # The one before is not told.
            for other in subscribers - {self}:
                other.end()
            subscribers.clear()
        subscribers.add(self)
        self.state()
        if self.mode == api_pb2.BLUETOOTH_SCANNER_MODE_PASSIVE or options.most > 1 or options.newest:
            self.begin()

    def on_BluetoothGATTReadRequest(self, message):
        """There are no connections. ESPHome answers the program that it serves, whoever has asked."""
        if not options.no_connections:
            for subscriber in subscribers:
                # ESP_GATT_NOT_CONNECTED, as bluetooth_proxy.cpp of ESPHome has it.
                subscriber.send(api_pb2.BluetoothGATTErrorResponse(
                    address=message.address, handle=message.handle, error=-1))

    def on_BluetoothScannerSetModeRequest(self, message):
        self.mode = message.mode
        self.state()
        # Nothing is sent before the monitor has asked for passive mode: so the tests see that it does.
        if self.mode == api_pb2.BLUETOOTH_SCANNER_MODE_PASSIVE and self in subscribers:
            self.begin()

    def state(self):
        failed = options.fault == "failed"
        state = api_pb2.BLUETOOTH_SCANNER_STATE_FAILED if failed else api_pb2.BLUETOOTH_SCANNER_STATE_RUNNING
        self.send(api_pb2.BluetoothScannerStateResponse(state=state, mode=self.mode))

    def begin(self):
        if options.fault in ("failed", "mute") or self.sending:
            return
        self.sending = asyncio.create_task(self.forward())

    def end(self):
        if self.sending:
            self.sending.cancel()

    async def forward(self):
        if options.fault == "truncated":
            self.writer.write(b"\0\x7f\x5d\x0a")
            return
        if options.fault == "huge":
            self.writer.write(b"\0\xff\xff\xff\x7f\x5d")
            return
        if options.fault == "endless-varint":
            self.writer.write(b"\0" + b"\xff" * 40)
            return
        if options.fault == "undecodable":
            self.link.send(93, b"\x0a\xff\xff\xff\xff\x0f")
            return
        if options.fault == "flood":
            message = api_pb2.BluetoothLERawAdvertisementsResponse()
            for _ in range(10_000):
                message.advertisements.add()
            self.send(message)
            return
        if options.adverts == "-":
            return
        for message in messages():
            self.send(message)
            if options.rate:
                await self.writer.drain()
                await asyncio.sleep(1 / options.rate)
        if options.fault == "leave":
            self.send(api_pb2.DisconnectRequest())

    async def serve(self):
        await self.link.open()
        while True:
            kind, data = await self.link.receive()
            if kind in MESSAGES:
                self.answer(MESSAGES[kind].FromString(data))
            await self.writer.drain()


async def connected(reader, writer):
    if options.fault == "silent":
        return await asyncio.sleep(3600)
    if options.fault == "garbage":
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        return await asyncio.sleep(3600)
    if options.fault == "empty":
        return writer.close()
    device = Device(reader, writer)
    try:
        await device.serve()
    except (Closed, EOFError, ConnectionError, asyncio.CancelledError):
        pass
    finally:
        subscribers.discard(device)
        writer.close()


async def forward_input():
    """Forwards the lines of the input to the program that is served."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async for line in reader:
        message = api_pb2.BluetoothLERawAdvertisementsResponse()
        add(message, line.decode("ascii"))
        for device in subscribers:
            device.send(message)


async def main():
    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server, asyncio.TaskGroup() as tasks:
        if options.adverts == "-":
            tasks.create_task(forward_input())
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
