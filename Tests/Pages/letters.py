"""Tests of the letter to the police."""

import datetime
import time
import zoneinfo

from playwright.sync_api import expect
from stage import Visitor, instant, test

HOUR = 3600


def last_midnight(zone):
    """The last midnight in a time zone that was at least ten minutes ago, in seconds since 1970."""
    before = datetime.datetime.fromtimestamp(time.time() - 600, zoneinfo.ZoneInfo(zone))
    return before.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


@test
def the_letter(registry, browser):
    """The letter fits on one sheet, with full times, the bike, the reference, how to check evidence, and a signature."""
    owner = registry.owner()
    bike = registry.bike(owner["token"], serial="1908123456", plate="B AB 123", vin="WVWZZZ1JZ3W386752", year=2024,
                         notes="A scratch on the left pedal")
    midnight = last_midnight("Europe/Berlin")
    registry.report(owner["token"], bike, missingSince=instant(midnight - 6 * HOUR), policeReference="4471/26",
                    policeForce="Polizei Berlin, Abschnitt 53", note="The lock was cut",
                    lastPlace={"latitude": 52.52, "longitude": 13.4, "accuracy": 20})
    # The last of them has the longest text: it begins on one day and ends on the next.
    for number in range(5):
        since = time.time() - midnight + (4 - number) * HOUR
        registry.hear(number % 3, bike, since + 300, since - 300)
    fingerprint = registry.call("GET", "/v1/keys")["keys"][-1]["fingerprint"]
    year = str(datetime.datetime.fromtimestamp(midnight, zoneinfo.ZoneInfo("Europe/Berlin")).year)
    for locale, texts in {
        "en-GB": ["Your reference: 4471/26", "To whom it may concern", "Green, Black", "evidence verify", "Signature"],
        "de-DE": ["Ihr Zeichen: 4471/26", "Sehr geehrte Damen und Herren", "Grün, Schwarz", "evidence verify", "Unterschrift"],
    }.items():
        visitor = Visitor(browser, registry, locale=locale, timezone_id="Europe/Berlin", color_scheme="dark")
        visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": owner["token"]}, headers={
            "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
        page = visitor.page
        visitor.open(f"/my/bikes/{bike['id']}/letter")
        letter = page.locator(".letter")
        for text in texts + ["Polizei Berlin, Abschnitt 53", "1908123456", "B AB 123", "WVWZZZ1JZ3W386752", "52.5231, 13.4021",
                             "The lock was cut", fingerprint[:8]]:
            expect(letter).to_contain_text(text)
        times = page.locator(".letter td:first-child").all_inner_texts()
        zones = ("CET", "CEST", "MEZ", "MESZ", "GMT+1", "GMT+2")
        assert len(times) == 5 and all(year in text and any(zone in text for zone in zones) for text in times), times
        pages = page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
        assert pages == 1, f"{locale}: {pages} pages"
        visitor.close()


@test
def letters_without_sightings(registry, browser):
    """Before the first sighting the letter says so, and without a report there is no letter."""
    owner = registry.owner()
    bike, safe = registry.bike(owner["token"]), registry.bike(owner["token"], make="Vespa")
    registry.report(owner["token"], bike)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}/letter")
    expect(page.locator(".letter")).to_contain_text("no station has heard it. Stations listen until")
    expect(page.locator(".letter table")).to_have_count(0)
    visitor.open(f"/my/bikes/{safe['id']}/letter")
    expect(page.get_by_text("This bike is not reported missing")).to_be_visible()
    visitor.close()
