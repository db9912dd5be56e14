"""The stages of the release check, as values: which commands a stage runs, and which figures it reads from their output."""
import dataclasses
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Figure:
    """A number in the output of a stage. Of several matches the last counts, or with `total` their sum."""

    name: str
    pattern: str
    unit: str = ""
    total: bool = False

    def read(self, text):
        """The number; None if the output does not have it."""
        found = [float(match.replace(",", "")) for match in re.findall(self.pattern, text, re.MULTILINE)]
        return (sum(found) if self.total else found[-1]) if found else None


@dataclasses.dataclass(frozen=True)
class Stage:
    """Commands that are run in turn, from the project's folder."""

    name: str
    shows: str
    commands: tuple
    figures: tuple = ()
    minutes: int = 60
    """After so many minutes the stage has failed."""
    needs: tuple = ()
    """The stages whose files this one uses."""


def sizes(folder, *packages):
    """The command that prints the sizes of packages, and the figures in what it prints."""
    command = ("sh", "-c", "for package in %s/*.deb; do dpkg-deb --show --showformat="
               "'${Package} installed ${Installed-Size} kB\\n' $package; "
               "stat --format='%%n download %%s B' $package; done" % folder)
    figures = []
    for package in packages:
        figures.append(Figure("%s, installed" % package, r"^%s installed (\d+) kB" % re.escape(package), "kB"))
        figures.append(Figure("%s, to download" % package, r"/%s_\S+ download (\d+) B" % re.escape(package), "B"))
    return command, tuple(figures)


AMD64, ARM64 = ".build/package", ".build/package-arm64"
AMD64_SIZES, AMD64_FIGURES = sizes(AMD64, "findmybike", "findmybike-registry")
ARM64_SIZES, ARM64_FIGURES = sizes(ARM64, "findmybike", "findmybike-registry")

STAGES = (
    Stage("packages-amd64", "optimized packages, lintian, sizes",
          (("rm", "-rf", AMD64), ("scripts/package.sh", "--output", AMD64), AMD64_SIZES), AMD64_FIGURES, 90),
    Stage("packages-arm64", "arm64 packages, cross-built with Debian's Swift",
          (("rm", "-rf", ARM64), ("scripts/package.sh", "--architecture", "arm64", "--output", ARM64), ARM64_SIZES),
          ARM64_FIGURES, 120),
    Stage("installation", "the optimized packages, as typed from the guides into a clean Debian",
          (("scripts/installation.sh", AMD64),), needs=("packages-amd64",)),
    Stage("container", "the image for Home Assistant and other containers: a wrong code, enrolment, a visit, ingress",
          (("scripts/container.sh", "check", AMD64),
           ("scripts/container.sh", "--packages", ARM64, "--architecture", "arm64", ".build/container")),
          (Figure("the image for amd64", r"^station-amd64.tar: (\d+) B", "B"),
           Figure("the image for arm64", r"^station-arm64.tar: (\d+) B", "B")),
          needs=("packages-amd64", "packages-arm64")),
    Stage("emulated-trixie", "the arm64 packages in an emulated Debian 13", (("scripts/arm64.sh", "trixie", ARM64),),
          needs=("packages-arm64",)),
    Stage("emulated-bookworm", "the arm64 packages in an emulated Debian 12",
          (("scripts/arm64.sh", "bookworm", ARM64),), needs=("packages-arm64",)),
    Stage("laboratory-arm64", "bluetoothd and a kernel with 16 kB pages, like a Raspberry Pi 5's",
          (("scripts/laboratory.sh", "check", "--architecture", "arm64", "--packages", ARM64),),
          (Figure("checks", r"^Ran (\d+) tests"),), needs=("packages-arm64",)),
    Stage("image", "a card's image boots, becomes a station and reports", (("scripts/image.sh", "check"),),
          (Figure("written in two quiet minutes", r"written in two quiet minutes: (\d+) kB", "kB"),), 120),
    Stage("cluster", "ten minutes of faults, and each broken rule is detected",
          (*(("scripts/cluster.sh", "check", "--control", control)
             for control in ("asynchronous", "by-number", "first-writable")),
           ("scripts/cluster.sh", "check", "--workload", "http", "--database", "sqlite"),
           ("scripts/cluster.sh", "check", "--workload", "http", "--minutes", "10")),
          (Figure("longest until a primary's machine follows again", r"until its machine follows again: \S+ to (\S+) s", "s"),)),
    Stage("partners", "ten minutes of three registries and a hostile one, and each broken rule is detected",
          (*(("scripts/partners.sh", "check", "--control", control) for control in ("lost", "invented", "twice")),
           ("scripts/partners.sh", "check", "--minutes", "10", "--flood", "1000000")),
          (Figure("visits to partners’ bikes", r"visits, (\d+) of them of partners’ bikes"),
           Figure("visits of the hostile partner that were refused", r"of a flood \((\d+) refused\)"))),
    Stage("home-assistant",
          "the monitor behind a real Home Assistant with proxies: an hour of many adverts, restart, lost proxy, revoked token",
          (("scripts/home-assistant.sh", "--minutes", "60"),),
          (Figure("until both proxies are heard", r"both proxies are heard: after (\S+) s", "s"),
           Figure("adverts that Home Assistant counted beside the monitor", r"(\d+) counted by Home Assistant")), 150),
    Stage("contract", "200 generated requests for each operation",
          (("scripts/contract.sh", "7200", "200"),), (Figure("requests", r"(\d+) generated"),), 130),
    Stage("depth", "all tests, with all random schedules and whole floods",
          (("env", "TEST_DEPTH=full", "scripts/test.sh"),), (Figure("tests", r"Test run with (\d+) tests"),), 90),
    Stage("pages", "the pages in real browsers, in all their looks: light and dark, two languages, phones and screens",
          (("env", "TEST_DEPTH=full", "scripts/pages.sh"),), (), 60),
    Stage("fuzz", "40 minutes of random bytes and hostile requests", (("scripts/fuzz.sh", "300"),),
          (Figure("inputs", r"^#(\d+)\s+DONE", total=True),)),
    Stage("instructions", "no count of the hot paths has grown by more than 3 %", (("Benchmarks/count.sh", "check"),), (), 90),
    Stage("alert-rules", "the alert rules for Prometheus, by promtool", (("scripts/alert-rules.sh",),),
          (Figure("rules", r"SUCCESS: (\d+) rules found"),), 20),
    Stage("example", "a new field of a bike, as CONTRIBUTING.md says, on both databases", (("scripts/example.sh",),), (), 120),
    Stage("ratios", "all benchmarks compile; the registry beside its limits",
          (("scripts/prepare.sh", "benchmarks"), ("sh", "-c", "Benchmarks/build.sh $(ls Benchmarks/Sources)"),
           ("Benchmarks/run-registry.sh", "3"), ("Benchmarks/run-heartbeat.sh",)),
          (Figure("visits posted, relative to a constant answer", r"^  post / constant post: ([\d.]+)"),
           Figure("batches, relative to a C loop", r"^  post, 100 visits each / limit of batches: ([\d.]+)"),
           Figure("resident with a million bikes", r"resident under load with \S+ bikes: ([\d.]+)", "MB")), 120),
)
