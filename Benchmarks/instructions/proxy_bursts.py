"""The tests' Bluetooth proxy, which sends as many advertisements as a line of its input says. Started by monitor_counts.py.

Usage: proxy_bursts.py, and the arguments of proxy.py. Prints its port, “subscribed” when the monitor listens, and “sent” after each burst.
"""

import asyncio
import importlib.util
import itertools
import pathlib
import sys

path = pathlib.Path(__file__).resolve().parents[2] / "Tests/Radio/ESPHomeTests/Fixtures/proxy.py"
specification = importlib.util.spec_from_file_location("proxy", path)
proxy = importlib.util.module_from_spec(specification)
specification.loader.exec_module(proxy)


class Device(proxy.Device):
    async def forward(self):
        print("subscribed", flush=True)
        messages = itertools.cycle(list(proxy.messages()))
        while line := await asyncio.to_thread(sys.stdin.readline):
            for message in itertools.islice(messages, int(line) // 16):
                self.send(message)
            while self.writer.transport.get_write_buffer_size():
                await asyncio.sleep(0.01)
            print("sent", flush=True)


proxy.Device = Device
asyncio.run(proxy.main())
