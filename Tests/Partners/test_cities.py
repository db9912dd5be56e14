import pathlib
import tempfile
import types
import unittest

from cities import World
from links import Authority

# Links that do not listen.
NETWORK = types.SimpleNamespace(run=lambda coroutine: coroutine.close())


class WorldTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def world(self, authority):
        clocks = [types.SimpleNamespace(environment={}) for _ in World.NAMES]
        return World(self.folder, self.folder, None, clocks, NETWORK, authority, None)

    def test_each_direction_has_a_link_of_its_own_to_which_the_hosts_of_the_caller_lead(self):
        world = self.world(Authority(self.folder, "authority"))
        self.assertEqual(len(set(world.links.values())), 6)
        for (caller, called), link in world.links.items():
            host, port = world.cities[called].public_url.removeprefix("https://").split(":")
            hosts = self.folder / ("hosts-" + World.HOSTS[caller])
            for service in world.cities[caller].services:
                self.assertIn(str(hosts), service.command(1))
            lines = [line.split() for line in hosts.read_text(encoding="utf-8").splitlines()]
            found = [line[0] for line in lines if host in line[1:]]
            self.assertEqual((found, int(port)), ([link.end[0]], link.end[1]))

    def test_without_hosts_of_their_own_all_callers_have_the_same_link(self):
        links = self.world(None).links
        self.assertEqual(len(links), 6)
        self.assertEqual(len({(called, link) for (_, called), link in links.items()}), 3)


if __name__ == "__main__":
    unittest.main()
