import unittest

from plan import CLOCK, DAYS, KILL, LINK, SPECIAL, script


def faults(seed, seconds):
    return script(seed, seconds, 4, 6, 3)


class PlanTests(unittest.TestCase):
    def test_a_seed_gives_one_script(self):
        self.assertEqual(faults(7, 60), faults(7, 60))
        self.assertNotEqual(faults(7, 60), faults(8, 60))

    def test_a_short_run_has_every_kind_of_fault(self):
        for seed in range(50):
            kinds = {fault.kind for fault in faults(seed, 24)}
            self.assertEqual(kinds, {KILL, LINK, *SPECIAL})

    def test_special_faults_do_not_overlap(self):
        for seed in range(20):
            special = [fault for fault in faults(seed, 300) if fault.kind in SPECIAL]
            for before, after in zip(special, special[1:]):
                self.assertLess(before.at + before.seconds, after.at)

    def test_faults_name_what_there_is(self):
        for fault in faults(3, 600):
            self.assertLess(fault.target, 4 if fault.kind == KILL else 6 if fault.kind == LINK else 3)
            self.assertTrue(fault.kind not in SPECIAL or fault.other < 3 and fault.other != fault.target)

    def test_fewer_days_pass_than_a_visit_may_wait(self):
        for seed in range(20):
            days = [fault.ahead for fault in faults(seed, 3600) if fault.kind in (DAYS, CLOCK)]
            self.assertLess(sum(ahead for ahead in days if ahead > 86_400), 20 * 86_400)


if __name__ == "__main__":
    unittest.main()
