"""Does what people do with the pages, as they would, and counts what it costs them. Started by run-pages.sh.

Usage: journeys.py PROGRAMS VISITS [good|slow]

The phone and its line are those of phone.py, with a new browser profile for each journey. What the pages let a person
wait is measured, from each tap until what they need next is there. The time of their hand and head is an estimate by the
keystroke-level model (Card, Moran and Newell 1980): for each tap and swipe 1.35 s to decide and 1.1 s to point, and
0.28 s for each character.
"""

import math
import statistics
import sys
import time

# First, because it adds the folder of the others.
from phone import VISITS, Phone, staged  # isort: skip
import displays
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from stage import missing_bike, visit_id

DECIDE, POINT, CHARACTER = 1.35, 1.1, 0.28


class Person(Phone):
    """Somebody with a phone: counts taps, swipes and characters, and measures waits."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.page.set_default_timeout(60_000)
        self.taps, self.swipes, self.characters, self.waited = 0, 0, 0, 0.0

    def wait(self, locator):
        begin = time.monotonic()
        locator.first.wait_for()
        self.waited += time.monotonic() - begin

    def arrive(self, address):
        """By a link in a message, a bookmark or a QR code, which is one tap."""
        self.taps += 1
        begin = time.monotonic()
        self.page.goto(address, wait_until="commit")
        self.waited += time.monotonic() - begin

    def reach(self, locator):
        """Waits until something is there, and swipes until it is on the screen."""
        self.wait(locator)
        box, height = locator.first.bounding_box(), self.page.viewport_size["height"]
        # A swipe moves the page by some three quarters of a screen.
        self.swipes += max(0, math.ceil((box["y"] + box["height"] - height) / (0.75 * height)))
        locator.first.scroll_into_view_if_needed()

    def touch(self, locator):
        self.reach(locator)
        self.taps += 1
        locator.first.tap()

    def write(self, locator, text):
        self.touch(locator)
        self.characters += len(text)
        locator.first.fill(text)

    @property
    def seconds(self):
        return self.waited + (self.taps + self.swipes) * (DECIDE + POINT) + self.characters * CHARACTER


def report_missing(person, url, registry):
    person.arrive(f"{url}/my")
    person.touch(person.page.get_by_role("button", name="It’s gone"))
    person.touch(person.page.get_by_role("button", name="Report as missing"))
    person.wait(person.page.get_by_text("No station has heard it yet"))


def look_and_call(person, url, registry):
    person.arrive(f"{url}/my/bikes/{person.missing['id']}")
    person.wait(person.page.locator(".latest-place"))
    person.touch(person.page.get_by_role("link", name="Call the police"))


def find(person, url, registry):
    person.arrive(person.sticker)
    person.touch(person.page.get_by_role("button", name="Add where I am"))
    person.wait(person.page.get_by_text("Added to your message"))
    person.touch(person.page.get_by_label("Your message"))
    text = "It stands behind the station, at the fence.\n"
    person.characters += len(text)
    field = person.page.get_by_label("Your message")
    field.fill(text + field.input_value())
    person.touch(person.page.get_by_role("button", name="Send"))
    person.wait(person.page.get_by_text("Your message has been sent."))


def check(person, url, registry):
    person.arrive(f"{url}/check")
    person.write(person.page.get_by_label("Serial or frame number"), "WTU123LOOK")
    person.touch(person.page.get_by_role("button", name="Check"))
    person.wait(person.page.get_by_text("This proves nothing."))


def follow(person, url, registry):
    person.arrive(person.share)
    person.wait(person.page.locator(".latest-place"))
    person.touch(person.page.get_by_text("Write to the owner"))
    person.write(person.page.get_by_label("Your message"), "I am near, and look for it.")
    person.touch(person.page.get_by_role("button", name="Send"))
    person.wait(person.page.get_by_role("link", name="Open the conversation"))


def answer(person, url, registry):
    person.touch(person.page.get_by_role("button", name="I see it"))
    person.wait(person.page.locator(".answers [aria-pressed=true]"))


JOURNEYS = {
    "an owner reports a bike missing": report_missing,
    "an owner looks where it was heard, and calls the police": look_and_call,
    "a finder writes, with the place": find,
    "a buyer checks a number": check,
    "a friend opens a share, and writes": follow,
    "staff of a café answer at the display": answer,
}


def prepare(journey, browser, url, registry):
    """A person at the beginning of a journey."""
    registry.enrol_stations()
    if journey is report_missing:
        owner = registry.owner()
        registry.bike(owner["token"])
        return Person(browser, url, owner["token"])
    owner, bike, _ = missing_bike(registry)
    for station in range(4):
        registry.hear(station, bike, 900 - station * 200, 800 - station * 200)
    if journey is answer:
        person = Person(browser, url, viewport=displays.TABLET)
        displays.beat(registry)
        code = registry.call("POST", f"/v1/stations/{displays.station(registry)}/displays", {"name": "Bar"},
                             registry.operator)["code"]
        person.page.goto(f"{url}/display#{code}")
        person.page.get_by_role("button", name="Connect").tap()
        displays.hear(registry, bike, visit_id(time.time()), 20, 0)
        person.page.get_by_role("button", name="I see it").wait_for()
        return person
    here = {"permissions": ["geolocation"], "geolocation": {"latitude": 52.52, "longitude": 13.4, "accuracy": 12}}
    person = Person(browser, url, owner["token"] if journey is look_and_call else None, **here)
    person.missing = bike
    if journey is find:
        person.sticker = registry.call("PUT", f"/v1/bikes/{bike['id']}/sticker", {}, owner["token"])["link"]
    if journey is follow:
        person.share = registry.call("POST", f"/v1/bikes/{bike['id']}/shares", {}, owner["token"])["link"]
    return person


def main():
    with staged() as (url, registry, browser):
        print("| | taps | swipes | characters | waits | with hand and head |\n|---|---|---|---|---|---|")
        for name, journey in JOURNEYS.items():
            people = []
            for _ in range(VISITS):
                person = prepare(journey, browser, url, registry)
                try:
                    journey(person, url, registry)
                except PlaywrightTimeout:
                    print(f"{name}: {person.page.locator('body').inner_text()[:600]}", file=sys.stderr)
                    raise
                people.append(person)
                person.close()
            waits = statistics.median(person.waited for person in people)
            seconds = statistics.median(person.seconds for person in people)
            print(f"| {name} | {people[0].taps} | {people[0].swipes} | {people[0].characters} | {waits:.1f} s | "
                  f"{seconds:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
