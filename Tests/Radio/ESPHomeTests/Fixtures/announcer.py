"""Announces ESPHome devices by multicast DNS, as python-zeroconf does it. Usage: announcer.py NAME PORT [KEY=VALUE…]"""

import socket
import sys
import threading

from zeroconf import IPVersion, ServiceInfo, Zeroconf

name, port, *properties = sys.argv[1:]
zeroconf = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
zeroconf.register_service(ServiceInfo(
    "_esphomelib._tcp.local.", f"{name}._esphomelib._tcp.local.", port=int(port), server=f"{name}.local.",
    addresses=[socket.inet_aton("127.0.0.1")], properties=dict(item.split("=", 1) for item in properties)))
print(port, flush=True)
threading.Event().wait()
