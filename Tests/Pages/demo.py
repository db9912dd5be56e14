"""The page that the demonstration leaves open (scripts/demo.sh --keep)."""

import contextlib
import pathlib
import re
import signal
import subprocess
import sys
import types

from playwright.sync_api import expect
from stage import Visitor, test

PLAY = pathlib.Path(__file__).resolve().parents[2] / "scripts/demo/play.py"


@contextlib.contextmanager
def story(programs):
    """Plays the story to its end; the address of its page, and the code to sign in with."""
    # Whoever runs the tests in the background has Ctrl-C’s signal ignored, and children inherit this.
    play = subprocess.Popen([sys.executable, PLAY, "--programs", programs, "--keep"], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, encoding="utf-8",
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        told = ""
        for line in play.stdout:
            told += line
            if line.startswith("Logs are in"):
                break
        # The address and the code are the first two lines that are indented by two spaces and hold one word.
        words = re.findall(r"^  (\S+)$", told, re.MULTILINE)
        assert len(words) == 2, told
        yield words
    finally:
        play.send_signal(signal.SIGINT)
        play.communicate(timeout=60)


def open_story(browser, address, code, **options):
    """A browser that follows what the demonstration says."""
    visitor = Visitor(browser, types.SimpleNamespace(url=re.match(r"https?://[^/]+", address)[0]), **options)
    visitor.allowed.append("status of 401")
    visitor.page.goto(address)
    visitor.page.get_by_text("Lost your phone? Use a code").click()
    visitor.page.get_by_label("Recovery code").fill(code)
    visitor.page.get_by_role("button", name="Sign in", exact=True).click()
    # After a recovery code, the page says first what to do about a lost phone.
    visitor.page.get_by_role("button", name=re.compile("^(Go on|Weiter)$")).click()
    visitor.page.wait_for_url(address)
    expect(visitor.page.locator(".trail > li")).to_have_count(1)
    return visitor


@test
def the_demonstrations_page(registry, browser):
    """The link and the code that the demonstration prints lead to the trail of its story."""
    with story(registry.programs) as (address, code):
        visitor = open_story(browser, address, code)
        expect(visitor.page.locator(".trail > li")).to_contain_text("Café Sprocket")
        expect(visitor.page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
        visitor.close()
