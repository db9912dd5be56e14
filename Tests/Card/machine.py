"""A card, and a machine that runs from it: qemu with one SD card, two processors for arm64 and 512 MB, as a Pi Zero 2 W has.

The firmware of a Pi cannot be emulated. So qemu loads the kernel and the initial RAM disk that the firmware would load from
the card's boot partition. Everything after that comes from the card.
"""
import contextlib
import pathlib
import re
import socket
import subprocess
import time

CARD_SIZE = 4 << 30
SECTOR = 512


def run(*command, **more):
    result = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=3600, check=False,
        **more)
    if result.returncode != 0:
        raise AssertionError("%s: %d\n%s" % (" ".join(map(str, command)), result.returncode, result.stdout))
    return result.stdout


class Card:
    """A card of 4 GB, made from an image as a computer writes it."""

    def __init__(self, image, folder):
        self.path, self.folder = folder / "card.img", folder
        if image.suffix == ".xz":
            with open(self.path, "wb") as file:
                subprocess.run(["xz", "--decompress", "--stdout", image], stdout=file, check=True)
        else:
            run("cp", "--sparse=always", image, self.path)
        run("truncate", "--size", CARD_SIZE, self.path)
        table = run("sfdisk", "--dump", self.path)
        boot, root = (int(start) * SECTOR for start in re.findall(r"start= *(\d+)", table))
        self.boot, self.root = "%s@@%d" % (self.path, boot), "%s?offset=%d" % (self.path, root)

    def names(self):
        return run("mdir", "-b", "-i", self.boot).split()

    def text(self, name):
        """A file on the boot partition, as any computer shows it."""
        return run("mtype", "-i", self.boot, "::" + name).removeprefix("\ufeff")

    def save(self, name, text):
        """Saves a file on the boot partition, as an editor under Windows would."""
        place = self.folder / name
        place.write_text(text, encoding="utf-8-sig", newline="\r\n")
        run("mcopy", "-o", "-i", self.boot, place, "::" + name)

    def extract(self, pattern):
        """Copies a file from the boot partition; returns its path."""
        name = next(name for name in self.names() if name.startswith("::/" + pattern))
        place = self.folder / pattern
        run("mcopy", "-n", "-o", "-i", self.boot, name, place)
        return place

    def put(self, path, text):
        """Writes a file into the root partition, which no person does: the test's own settings."""
        place = self.folder / "put"
        place.write_text(text, encoding="utf-8")
        folders = "".join("mkdir %s\n" % folder for folder in reversed(pathlib.PurePosixPath(path).parents) if str(folder) != "/")
        run("debugfs", "-w", "-f", "-", self.root, input="%srm %s\nwrite %s %s\n" % (folders, path, place, path))


class Machine:
    """A machine that is on, with a shell of its administrator, which a real one does not have."""

    PROMPT = re.compile(r"root@\S*# ")

    def __init__(self, card, folder):
        self.card, self.place = card, folder / "serial"
        self.process = self.serial = None

    def __enter__(self):
        self.place.unlink(missing_ok=True)
        kernel, initrd = self.card.extract("vmlinuz-"), self.card.extract("initrd.img-")
        self.process = subprocess.Popen(
            ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "512", "-display", "none",
             "-monitor", "none", "-no-reboot", "-kernel", kernel, "-initrd", initrd,
             "-append", "root=LABEL=findmybike-root rw rootwait console=ttyAMA0 quiet systemd.debug_shell=ttyAMA0 "
                        "systemd.mask=serial-getty@ttyAMA0.service systemd.show_status=0",
             "-serial", "unix:%s,server=on,wait=off" % self.place,
             "-drive", "if=none,id=card,format=raw,file=%s" % self.card.path,
             "-device", "sdhci-pci", "-device", "sd-card,drive=card",
             "-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net", "-device", "i6300esb"],
            stdin=subprocess.DEVNULL)
        self.serial = socket.socket(socket.AF_UNIX)
        self.eventually(lambda: self.connected(), 30, "qemu has not started")
        self.heard = ""
        return self

    def connected(self):
        with contextlib.suppress(OSError):
            self.serial.connect(str(self.place))
            return True
        return False

    def __exit__(self, *_):
        """Pulls the plug, unless the machine is off."""
        self.serial.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    @staticmethod
    def eventually(check, seconds, message):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            result = check()
            if result:
                return result
            time.sleep(1)
        raise AssertionError(message if isinstance(message, str) else message())

    def shell(self, command, seconds=120):
        """What a command prints in the machine.

        Hardly anything is typed before the prompt is there. Otherwise more may wait than the emulated serial port holds when
        its driver starts; then the port never reports what waits, and the shell never hears anything. A shell that starts
        takes a part of what has been typed, so a command that it has not begun is typed again, after Ctrl-C. So is
        one whose end is not heard for three minutes: messages of the kernel can overwrite what it prints.
        """
        mark = time.monotonic_ns()
        deadline, again, begun = time.monotonic() + seconds, 0, False
        self.await_prompt(deadline)
        while time.monotonic() < deadline:
            if time.monotonic() >= again:
                # The terminal repeats what is typed: the shell adds one to the mark.
                mark += 2
                line = "\x03\necho begin-$((%d+1)); { %s; } 2>&1; echo end-$((%d+1))\n" % (mark, command, mark)
                self.serial.sendall(line.encode())
                again, begun = time.monotonic() + 30, False
            self.hear()
            if not begun and "begin-%d" % (mark + 1) in self.heard:
                again, begun = time.monotonic() + 180, True
            found = re.search("begin-%d[^\n]*\n(.*?)end-%d" % (mark + 1, mark + 1), self.heard, re.DOTALL)
            if found:
                return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", found.group(1))
        raise AssertionError("no answer to ‘%s’:\n%s" % (command, self.heard[-4000:]))

    def await_prompt(self, deadline):
        again = time.monotonic() + 30
        while not self.PROMPT.search(self.heard) and time.monotonic() < deadline:
            self.hear()
            if time.monotonic() >= again:
                # A message of the kernel may have overwritten the prompt.
                self.serial.sendall(b"\n")
                again = time.monotonic() + 30

    def hear(self):
        """Takes what the machine has printed; waits up to a second for it."""
        self.serial.settimeout(1)
        with contextlib.suppress(TimeoutError):
            self.heard += self.serial.recv(65536).decode(errors="replace").replace("\r", "")

    def switch_off(self):
        """Types the command until the machine is off, since a part of what is typed can be lost."""
        deadline, again = time.monotonic() + 600, 0
        while self.process.poll() is None:
            now = time.monotonic()
            if now >= deadline:
                raise AssertionError("the machine does not switch itself off:\n%s" % self.heard[-4000:])
            if now >= again:
                again = now + 60
                self.serial.sendall(b"\x03\nsystemctl poweroff\n")
            # What the machine prints must be taken, or it waits. The end of the process closes the line.
            with contextlib.suppress(OSError):
                self.hear()
