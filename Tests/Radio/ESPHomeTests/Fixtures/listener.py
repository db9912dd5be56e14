"""Listens to a proxy as Home Assistant does, with bleak-esphome, and prints the advertisements that it hears as JSON.

Arguments: port, key or "-", and the number of advertisements after which it ends.
"""

import asyncio
import json
import sys

from aioesphomeapi import APIClient
from bleak_esphome import connect_scanner
from bleak_esphome.backend.scanner import ESPHomeScanner
from habluetooth import BluetoothManager, set_manager

port, key, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
heard = []


class Manager(BluetoothManager):
    def _discover_service_info(self, service_info):
        pass


async def main():
    done = asyncio.Event()
    set_manager(Manager())
    client = APIClient("127.0.0.1", port, None, noise_psk=None if key == "-" else key)
    await client.connect(login=True)
    device = await client.device_info()
    data = connect_scanner(client, device, True)
    assert isinstance(data.scanner, ESPHomeScanner)

    def note(response):
        for advert in response.advertisements:
            heard.append([f"{advert.address:012X}", advert.address_type, advert.rssi, advert.data.hex()])
        data.scanner.async_on_raw_advertisements(response)
        if len(heard) >= count:
            done.set()

    client.subscribe_bluetooth_le_raw_advertisements(note)
    await asyncio.wait_for(done.wait(), 60)
    # The names of the devices that bleak-esphome knows now, each with its last manufacturer data.
    devices = {
        info.address: {str(company): data.hex() for company, data in info.manufacturer_data.items()}
        for info in (data.scanner._previous_service_info or {}).values()
    }
    await client.disconnect()
    print(json.dumps({"heard": heard, "devices": devices}))


asyncio.run(main())
