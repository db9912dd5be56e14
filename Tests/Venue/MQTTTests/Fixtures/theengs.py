"""Theengs Gateway itself, without a radio: it is told of advertisements as bleak would tell it.

Arguments: the broker's port, 1 to publish the data beside what was decoded, and the manufacturer's data of each
advertisement in hexadecimal digits. Publishes them every tenth of a second, until it is killed.
"""

import sys
import time

from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from TheengsGateway.ble_gateway import Gateway
from TheengsGateway.config import DEFAULT_CONFIG

port, publishes_data, adverts = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
configuration = dict(DEFAULT_CONFIG) | {
    "host": "127.0.0.1", "port": port, "user": "", "pass": "", "discovery": 0, "publish_advdata": publishes_data,
    "publish_topic": "home/bar/BTtoMQTT", "enable_multi_gtw_sync": 0,
}
gateway = Gateway(configuration)
gateway.connect_mqtt()
gateway.client.loop_start()
print("ready", flush=True)
while True:
    for index, text in enumerate(adverts):
        data = bytes.fromhex(text)
        address = f"AA:BB:CC:DD:EE:{index:02X}"
        advert = AdvertisementData(
            local_name=None, manufacturer_data={int.from_bytes(data[:2], "little"): data[2:]}, service_data={},
            service_uuids=[], tx_power=None, rssi=-50 - index, platform_data=())
        gateway.detection_callback(BLEDevice(address, None, None), advert)
    time.sleep(0.1)
