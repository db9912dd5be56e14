"""A bumble controller (https://google.github.io/bumble) on a virtual medium with advertisers, served as an H4 stream.

Prints the port that it listens on as its first line and serves one host. Ends when its standard input closes.

  air.py ADVERTISERS [--extended]

Advertiser N is an iBeacon with major 1 and minor N, sent every 50 ms. bumble's controller reports all at -50 dBm; with
--extended it has the LE feature of extended advertising and sends extended reports.
"""

import asyncio
import os
import struct
import sys
import threading

from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink, PacketParser, StreamPacketSink, StreamPacketSource

UUID = bytes.fromhex("21eecf71d5c74a009b9027c94b5146ea")


async def advertise(link: LocalLink, minor: int) -> Device:
    controller = Controller(f"advertiser {minor}", link=link, public_address=f"00:00:00:00:00:{minor:02X}")
    address = Address(f"F0:00:00:00:00:{minor:02X}")
    device = Device(name=f"beacon {minor}", address=address, host=Host(controller, AsyncPipeSink(controller)))
    await device.power_on()
    beacon = bytes.fromhex("4c000215") + UUID + struct.pack(">HHb", 1, minor, -59)
    data = AdvertisingData([(AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, beacon)])
    await device.start_advertising(
        advertising_interval_min=50, advertising_interval_max=50, advertising_data=bytes(data)
    )
    return device


async def serve(link: LocalLink, extended: bool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    source = StreamPacketSource()
    controller = Controller(
        "scanner",
        host_source=source,
        host_sink=StreamPacketSink(writer),
        link=link,
        public_address="00:11:22:33:44:55",
    )
    if not extended:
        controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    while piece := await reader.read(4096):
        source.data_received(piece)
    writer.close()


async def main(count: int, extended: bool) -> None:
    link = LocalLink()
    devices = [await advertise(link, minor) for minor in range(1, count + 1)]
    server = await asyncio.start_server(lambda r, w: serve(link, extended, r, w), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    # Without a reference the devices and their timers would be garbage-collected.
    await asyncio.get_running_loop().create_future() or devices


def end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
asyncio.run(main(int(sys.argv[1]), "--extended" in sys.argv))
