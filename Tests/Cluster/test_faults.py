import unittest

from faults import KILL_REGISTRY, LOSE_PRIMARY, PAUSE_REGISTRY, Pace, script


class FaultTests(unittest.TestCase):
    def test_a_seed_gives_one_script(self):
        self.assertEqual(script(7, 120, 3), script(7, 120, 3))
        self.assertNotEqual(script(7, 120, 3), script(8, 120, 3))

    def test_faults_come_in_order_and_within_the_run(self):
        for seed in range(50):
            times = [fault.at for fault in script(seed, 120, 3)]
            self.assertEqual(times, sorted(times))
            self.assertTrue(all(0 < time < 120 for time in times))

    def test_two_minutes_lose_the_primary_in_both_ways(self):
        for seed in range(50):
            faults = script(seed, 120, 3)
            losses = [fault for fault in faults if fault.kind == LOSE_PRIMARY]
            self.assertGreaterEqual(len(losses), 5)
            self.assertEqual({fault.rejoin for fault in losses}, {"rewind", "copy"})
            self.assertGreaterEqual(sum(fault.kind == KILL_REGISTRY for fault in faults), 30)

    def test_a_registry_is_not_killed_while_it_is_paused(self):
        for seed in range(50):
            faults = script(seed, 1800, 3, Pace(pause=75))
            pauses = [fault for fault in faults if fault.kind == PAUSE_REGISTRY]
            self.assertEqual(len(pauses), 3)
            for pause in pauses:
                killed = [fault.at for fault in faults if fault.kind == KILL_REGISTRY and fault.target == pause.target]
                self.assertFalse([time for time in killed if pause.at <= time <= pause.at + pause.seconds])

    def test_the_last_of_several_registries_is_never_killed_and_a_primary_hangs(self):
        for seed in range(50):
            faults = script(seed, 120, 3)
            killed = {fault.target for fault in faults if fault.kind == KILL_REGISTRY}
            self.assertEqual(killed, {0, 1})
            self.assertTrue([fault for fault in faults if fault.hang])

    def test_every_third_primary_goes_on_if_the_pace_says_so(self):
        for seed in range(50):
            losses = [fault for fault in script(seed, 120, 3, Pace(left=5)) if fault.kind == LOSE_PRIMARY]
            self.assertTrue([fault for fault in losses if fault.left])
            self.assertFalse([fault for fault in losses if fault.left and fault.hang])
            self.assertFalse([fault for fault in script(seed, 120, 3) if fault.left])

    def test_one_registry_is_never_paused_and_a_pace_of_zero_means_none(self):
        kinds = {fault.kind for fault in script(1, 120, 1, Pace(lose=0))}
        self.assertEqual(kinds, {KILL_REGISTRY})


if __name__ == "__main__":
    unittest.main()
