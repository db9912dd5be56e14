"""Tests of the report and the search as a frightened person uses them: late, on a bad line, with an old phone."""

import datetime
import re
import time

from firefox import Firefox, PushService, button
from playwright.sync_api import expect
from refusals import drawn
from stage import PLACES, Visitor, instant, kept_in, missing_bike, signed_up_with_bike, stored, test

HANDS_ON = "ERR_FAILED|ERR_ABORTED|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|Failed to load resource|status of 40|Service Worker registration blocked"
REPORTS = re.compile(r"/v1/bikes/[0-9a-f-]+/reports$")


def signed_in(registry, browser, **options):
    """An owner with a bike, and a browser that is signed in."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    visitor = Visitor(browser, registry, **options)
    visitor.allowed.append(HANDS_ON)
    visitor.sign_in(owner["token"])
    return owner, bike, visitor


def reports(registry, owner, bike):
    return registry.call("GET", f"/v1/bikes/{bike['id']}/reports", token=owner["token"])["items"]


def listen(registry):
    """All stations of the test hear, and one of them tells so."""
    for token in registry.stations:
        registry.call("PUT", "/v1/station/heartbeat", {"version": "1.0.0", "listVersion": 1, "adapters": [
            {"name": "hci0", "state": "scanning", "silentSeconds": 2, "reports": 120, "dropped": 0}]}, token)


@test
def a_time_that_is_still_to_come(registry, browser):
    """At ten past midnight, 23:30 means yesterday's; a time that cannot be is refused where it stands, in its open section."""
    owner, bike, visitor = signed_in(registry, browser)
    page = visitor.page
    today = datetime.date.today()
    page.clock.set_fixed_time(datetime.datetime.combine(today, datetime.time(0, 10)))
    visitor.open("/my")
    page.get_by_role("button", name="It’s gone").click()
    summary, since = page.get_by_text("When, where and police reference"), page.get_by_label("When did you last see it?")
    summary.click()
    since.fill(f"{today + datetime.timedelta(days=3)}T23:30")
    summary.click()
    page.get_by_role("button", name="Report as missing").click()
    expect(page.get_by_text("Enter a time that is not in the future")).to_be_visible()
    expect(since).to_be_focused()
    since.fill(f"{today}T23:30")
    expect(page.get_by_text("Enter a time that is not in the future")).to_have_count(0)
    expect(page.get_by_text("so we take yesterday, 23:30")).to_be_visible()
    summary.click()
    page.get_by_role("button", name="Report as missing").click()
    page.wait_for_url(f"**/my/bikes/{bike['id']}")
    found = reports(registry, owner, bike)
    assert [each["missingSince"] for each in found] == [f"{today - datetime.timedelta(days=1)}T23:30:00.000Z"], found
    # A field that the browser itself refuses does not stop a form without a word either.
    visitor.open("/my/new-bike")
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_text("Green", exact=True).click()
    page.get_by_text("Frame number and more").click()
    page.get_by_label("Year").fill("1066")
    page.get_by_text("Frame number and more").click()
    page.get_by_role("button", name="Add this bike").click()
    expect(page.get_by_label("Year")).to_be_focused()
    visitor.close()


@test
def a_request_that_hangs(registry, browser):
    """A report that gets no answer says that it is sent, can be left, and ends after 15 s with what is known: nothing."""
    owner, bike, visitor = signed_in(registry, browser, service_workers="block")
    page = visitor.page
    held = []
    page.clock.install()
    visitor.open("/my")
    page.route(REPORTS, lambda route: held.append(route))
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_role("button", name="Report as missing").click()
    page.clock.run_for(1000)
    expect(page.get_by_role("button", name="Sending…")).to_be_disabled()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.clock.run_for(20_000)
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_role("button", name="Report as missing").click()
    expect(page.get_by_role("button", name="Report as missing")).to_be_disabled()
    page.clock.run_for(15_100)
    expect(page.get_by_role("alert")).to_contain_text("We do not know whether it arrived")
    expect(page.get_by_role("button", name="Report as missing")).to_be_enabled()
    page.unroute(REPORTS)
    page.get_by_role("button", name="Report as missing").click()
    page.wait_for_url(f"**/my/bikes/{bike['id']}")
    assert len(reports(registry, owner, bike)) == 1
    visitor.close()


@test
def an_answer_that_is_lost(registry, browser):
    """If the answer to a report is lost, the page looks: the search opens. So it does if another tab has reported the bike."""
    owner, bike, visitor = signed_in(registry, browser, service_workers="block")
    page = visitor.page

    def lose(route):
        route.fetch()
        route.abort()

    page.route(REPORTS, lose)
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_role("button", name="Report as missing").click()
    expect(page.get_by_text("No station has heard it yet")).to_be_visible()
    page.unroute(REPORTS)
    assert len(reports(registry, owner, bike)) == 1
    other = registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter")
    visitor.open("/my")
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_text("When, where and police reference").click()
    page.get_by_label("Note").fill("The lock is cut")
    registry.report(owner["token"], other)
    page.get_by_role("button", name="Report as missing").click()
    page.wait_for_url(f"**/my/bikes/{other['id']}")
    expect(page.get_by_text("The lock is cut")).to_be_visible()
    visitor.close()


@test
def a_reload_at_the_codes(registry, browser):
    """A reload at the recovery codes makes no second account, and one button makes new codes, which work."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.add_authenticator()
    visitor.open("/sign-up")
    page.get_by_role("button", name="Create a passkey").click()
    codes = []
    # A reload at the new codes is as harmless.
    for _ in range(2):
        expect(page.locator(".codes li")).to_have_count(10)
        codes.append(page.locator(".codes li").first.inner_text())
        page.once("dialog", lambda dialog: dialog.accept())
        page.reload()
        expect(page.get_by_role("heading", name="You have an account")).to_be_visible()
        expect(page.get_by_role("button", name="Create a passkey")).to_have_count(0)
        page.get_by_role("button", name="Make new codes").click()
        expect(page.get_by_role("heading", name="Keep these recovery codes")).to_be_focused()
    codes.append(page.locator(".codes li").first.inner_text())
    page.get_by_role("link", name="I have kept my codes").click()
    expect(page.get_by_role("heading", name="My bikes")).to_be_visible()
    visitor.close()
    other = Visitor(browser, registry)
    other.allowed.append("status of 40[13]")
    other.open("/sign-in")
    other.page.get_by_text("Lost your phone? Use a code").click()
    for code in codes:
        other.page.get_by_label("Recovery code").fill(code)
        other.page.get_by_role("button", name="Sign in", exact=True).click()
        if code != codes[-1]:
            expect(other.page.get_by_role("alert")).to_contain_text("not valid")
    expect(other.page.get_by_role("heading", name="You are signed in")).to_be_visible()
    other.close()


@test
def typed_text_stays(registry, browser):
    """A session that has ended costs no text: the person signs in over the form, and what they typed is sent."""
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 401")
    page = visitor.page
    visitor.sign_up()
    visitor.open("/my/new-bike")
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_text("Green", exact=True).click()
    visitor.context.clear_cookies()
    page.get_by_role("button", name="Add this bike").click()
    dialog = page.get_by_role("dialog", name="You have been signed out")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Make")).to_have_value("Brompton")
    expect(page.get_by_role("alert")).to_contain_text("signed out")
    page.get_by_role("button", name="Add this bike").click()
    dialog.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    # Back leads to the bikes, not to an empty form that looks as if the bike were not there.
    page.go_back()
    expect(page.get_by_label("Make")).to_have_count(0)
    visitor.close()


@test
def half_of_the_quiet_hours(registry, browser):
    """Quiet hours of which one end is missing are not left out without a word."""
    owner, _, visitor = signed_in(registry, browser)
    page = visitor.page
    visitor.open("/my/account")
    page.get_by_label("From").fill("22:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Enter when the quiet hours end")).to_be_visible()
    expect(page.locator("[name=to]")).to_be_focused()
    assert "quietHours" not in registry.call("GET", "/v1/owner", token=owner["token"])
    page.locator("[name=to]").fill("07:00")
    expect(page.get_by_text("Enter when the quiet hours end")).to_have_count(0)
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.get_by_role("button", name="Save").click()
    assert registry.call("GET", "/v1/owner", token=owner["token"])["quietHours"] == {"from": "22:00", "to": "07:00"}
    visitor.close()


@test
def the_account_without_a_connection(registry, browser):
    """Offline the account shows what was known, says what it cannot know, and nothing that contradicts it; no picture is broken."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_up()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.open("/my/account")
    visitor.allowed.append(HANDS_ON)
    visitor.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Account")).to_be_visible()
    expect(page.locator("#banner")).to_contain_text("No connection")
    expect(page.get_by_text("there is no connection to look")).to_be_visible()
    expect(page.get_by_text("Nothing was sent")).to_have_count(0)
    visitor.context.set_offline(False)
    visitor.close()


@test
def a_language_without_a_connection(registry, browser):
    """Offline the pages are in the language that was just chosen, while the service worker of the former one still serves."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_up()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.open("/my/account")
    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Gespeichert")
    kept_in(page, "de")
    # Offline the browser cannot look for a newer service worker, either.
    visitor.allowed.append(HANDS_ON + "|fetching the script")
    visitor.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Konto")).to_be_visible()
    visitor.context.set_offline(False)
    visitor.close()


@test
def pictures_without_a_connection(registry, browser):
    """A picture that cannot be loaded is no broken one: it is missing in the list, and its place says why."""
    visitor = Visitor(browser, registry, service_workers="block")
    visitor.allowed.append(HANDS_ON)
    page = visitor.page
    bike = signed_up_with_bike(visitor)
    page.locator("input[type=file]").set_input_files(
        {"name": "bike.jpg", "mimeType": "image/jpeg", "buffer": drawn(page, "image/jpeg")})
    stored(page)
    page.route("**/photos/*?size=small", lambda route: route.abort())
    visitor.open("/my")
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    expect(page.locator(".bike-heading img")).to_have_count(0)
    visitor.open(f"/my/bikes/{bike}")
    page.locator("[data-part=photos]").scroll_into_view_if_needed()
    expect(page.locator(".photos")).to_contain_text("No connection")
    expect(page.locator(".photos img")).to_have_count(0)
    visitor.close()


@test
def correcting_a_report(registry, browser):
    """What was reported stands with the search, and its time, place and note can be corrected."""
    owner, bike, visitor = signed_in(
        registry, browser, permissions=["geolocation"], geolocation={"latitude": 52.52, "longitude": 13.4})
    page = visitor.page
    report = registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600), note="Red lock")
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_text("Missing since")).to_be_visible()
    expect(page.get_by_text("Red lock")).to_be_visible()
    page.get_by_role("button", name="Correct this").click()
    since = page.get_by_label("When did you last see it?")
    earlier = datetime.datetime.fromisoformat(since.input_value()) - datetime.timedelta(hours=2)
    since.fill(earlier.isoformat(timespec="minutes"))
    page.get_by_role("button", name="The bike was here, where I am now").click()
    expect(page.get_by_text("Position of this device")).to_be_visible()
    page.get_by_label("Note").fill("Blue lock")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Blue lock")).to_be_visible()
    [changed] = reports(registry, owner, bike)
    assert changed["missingSince"] == earlier.isoformat(timespec="seconds") + ".000Z" and changed["note"] == "Blue lock", changed
    assert (changed["lastPlace"]["latitude"], changed["lastPlace"]["longitude"]) == (52.52, 13.4), changed
    page.get_by_role("button", name="Correct this").click()
    page.get_by_role("button", name="Remove the place").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "lastPlace" not in registry.call("GET", f"/v1/bikes/{bike['id']}/reports/{report['id']}", token=owner["token"])
    visitor.close()


@test
def deleting_begins_at_cancel(registry, browser):
    """Enter, Enter deletes neither the account nor a bike."""
    owner, bike, visitor = signed_in(registry, browser)
    page = visitor.page
    for path, name in (("/my/account", "Delete my account"), (f"/my/bikes/{bike['id']}", "Delete this bike")):
        visitor.open(path)
        page.get_by_role("button", name=name).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("button", name=name)).to_be_focused()
    assert registry.call("GET", "/v1/bikes", token=owner["token"])["items"]
    visitor.close()


# Texts that are so narrow that a word does not fit, and what is wider than the screen.
NARROW = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const element = text.parentElement, words = text.data.trim();
        if (words.length < 8 || !element.checkVisibility() || element.closest(".visually-hidden, svg, .leaflet-container")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = range.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(element).fontSize);
        if (box.width > 1 && box.width < 3 * size && box.height > 2.5 * size) found.push(`${words.slice(0, 40)}: ${box.width} × ${box.height}`);
    }
    return found;
}"""


@test
def text_twice_as_large(registry, browser):
    """At 200 % text nothing is squeezed to a few letters a line or wider than a phone, in English and in German."""
    owner, bike, _ = missing_bike(registry)
    other = registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter")
    registry.hear(1, bike, 50, 40)
    registry.hear(0, bike, 30, 20)
    found = []
    for locale in ("en-GB", "de-DE"):
        visitor = Visitor(browser, registry, locale=locale)
        # A bike without a sticker's code says so when the part is opened.
        visitor.allowed.append("status of 404")
        visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": owner["token"]}, headers={
            "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
        for path in ("/", "/sign-in", "/sign-up", "/my", f"/my/bikes/{bike['id']}", f"/my/bikes/{other['id']}",
                     "/my/new-bike", "/my/account"):
            visitor.open(path)
            visitor.page.evaluate("""() => {
                document.documentElement.style.fontSize = "200%";
                document.querySelectorAll("details").forEach((part) => (part.open = true));
            }""")
            visitor.page.wait_for_timeout(200)
            found += [f"{path} {locale}: {text}" for text in visitor.page.evaluate(NARROW)]
        visitor.page.evaluate("() => localStorage.clear()")
        visitor.close()
    assert not found, "\n".join(found)


@test
def a_wrong_address(registry, browser):
    """A wrong address shows a person a page that leads on, and a program the API's problem."""
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 404")
    page = visitor.page
    for path in ("/stolen", "/v1/nothing"):
        response = page.goto(registry.url + path)
        assert response.status == 404 and response.headers["content-type"].startswith("text/html"), response.headers
        expect(page.get_by_role("heading", name="This page does not exist")).to_be_visible()
    page.locator("main").get_by_role("link").click()
    expect(page.get_by_role("link", name="Create an account")).to_be_visible()
    answer = visitor.context.request.get(f"{registry.url}/stolen", headers={"Accept": "application/json"})
    assert answer.headers["content-type"].startswith("application/problem+json"), answer.headers
    visitor.close()


@test
def a_map_app(registry, browser):
    """“Open in maps” opens the phone's app, and a map on the Web where there is none."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(0, bike, 30, 20)
    android = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Mobile Safari/537.36"
    for options, address in (({}, "https://www.openstreetmap.org/"), ({"user_agent": android}, "geo:52.5231,13.4021")):
        visitor = Visitor(browser, registry, **options)
        visitor.sign_in(owner["token"])
        visitor.open(f"/my/bikes/{bike['id']}")
        links = visitor.page.get_by_role("link", name="Open in maps")
        expect(links).to_have_count(2)
        for link in links.all():
            assert link.get_attribute("href").startswith(address), link.get_attribute("href")
        box = links.first.bounding_box()
        assert box["width"] > 300 and box["y"] < visitor.page.locator(".map").bounding_box()["y"]
        visitor.close()


@test
def after_a_report(registry, browser):
    """After a report, in this order and live: when, stations, earlier searches, messages, police, photo, friends."""
    listen(registry)
    _, latitude, longitude, _ = PLACES[0]
    owner, bike, visitor = signed_in(
        registry, browser, timezone_id="Europe/Berlin", permissions=["geolocation", "notifications"],
        geolocation={"latitude": latitude + 0.0015, "longitude": longitude},
        # Playwright does not see what a service worker asks for.
        service_workers="block")
    page = visitor.page
    # A new registry has no thirty searches behind it.
    page.route("**/reports/*/stations", lambda route: route.fulfill(
        json=route.fetch().json() | {"odds": {"searches": 140, "percentWithinDay": 40}}))
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_text("When, where and police reference").click()
    page.get_by_role("button", name="The bike was here, where I am now").click()
    expect(page.get_by_text("Position of this device")).to_be_visible()
    page.get_by_role("button", name="Report as missing").click()
    parts = [
        page.get_by_text(re.compile("^Reported today, ")),
        page.get_by_text(re.compile(r"\d+ stations listen for it. The nearest is at most [12] km from where")),
        page.get_by_text("In 40 % of about 140 earlier searches here, a station heard it within a day."),
        page.get_by_text("Alerts are off"),
        page.get_by_role("button", name="Turn on messages on this device"),
        page.get_by_role("link", name="Call the police: 110"),
        page.locator("main").get_by_role("button", name="Add a photo").first,
        page.get_by_role("button", name="Share this search"),
    ]
    for part in parts:
        expect(part).to_be_visible()
    expect(page.locator(".live.on")).to_be_visible()
    tops = [part.bounding_box()["y"] for part in parts]
    assert tops == sorted(tops), tops
    assert page.get_by_role("link", name="Call the police").get_attribute("href") == "tel:110"
    page.get_by_role("button", name="Share this search").click()
    expect(page.get_by_role("button", name="Make a link")).to_be_focused()
    with page.expect_file_chooser():
        page.locator("main").get_by_role("button", name="Add a photo").first.click()
    # Once it was heard, the place comes first.
    registry.hear(0, bike, 2, 0, ended=False)
    expect(page.locator(".latest-place")).to_have_text("Parkhaus Mitte")
    map_top = page.locator(".map").bounding_box()["y"]
    assert parts[5].bounding_box()["y"] < map_top < parts[4].bounding_box()["y"]
    visitor.close()


@test
def a_server_that_is_down(registry, browser):
    """A trail whose registry is gone says since when, and is live again once it is back."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    visitor.allowed.append(HANDS_ON)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.locator(".live.on")).to_be_visible()
    registry.stop()
    try:
        expect(page.locator(".live.lost")).to_have_text(re.compile(r"^No connection since \d\d:\d\d$"))
    finally:
        registry.start()
    expect(page.locator(".live.on")).to_have_text("Live", timeout=40_000)
    visitor.close()


@test
def a_trail_without_streets(registry, browser):
    """Without tiles the map is low, names each place and draws no line that looks like a road."""
    owner, bike, _ = missing_bike(registry)
    for station in range(3):
        registry.hear(station, bike, 60 - station, 50 - station)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.locator(".map .label-pin")).to_have_count(3)
    for name, *_ in PLACES[:3]:
        expect(page.locator(".map .label-pin", has_text=name)).to_be_visible()
    assert page.locator(".map").bounding_box()["height"] < 200
    expect(page.locator(".map path.path")).to_be_hidden()
    expect(page.get_by_text("A dot is a station")).to_be_visible()
    visitor.close()


@test
def beside_the_map(registry, browser):
    """On a desktop, map and list stand beside each other."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry, viewport={"width": 1280, "height": 900})
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.locator(".leaflet-container")).to_be_visible()
    tiles, rows = page.locator(".map").bounding_box(), page.locator(".trail").bounding_box()
    assert rows["x"] >= tiles["x"] + tiles["width"] and abs(rows["y"] - tiles["y"]) < 80, (tiles, rows)
    visitor.close()


@test
def a_report_in_firefox(registry, _):
    """Firefox, too, shows a fault in a closed section, opens the search after a report, and follows it live."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    push = PushService()
    firefox = Firefox(push)

    def enter(value):
        firefox.evaluate(f"""(() => {{
            const field = document.querySelector("[name=since]");
            field.value = "{value}";
            field.dispatchEvent(new Event("input", {{ bubbles: true }}));
        }})()""")

    hour_ago = "new Date(Date.now() - 3_600_000 - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)"
    try:
        firefox.sign_in(registry, owner["token"])
        firefox.click(button("It’s gone"))
        enter("2099-01-01T23:30")
        firefox.click(button("Report as missing"))
        firefox.wait_for("document.activeElement?.name === 'since' && document.activeElement.checkVisibility()", "the fault")
        enter(firefox.evaluate(hour_ago))
        firefox.wait_for("!document.querySelector('.fault')", "the fault goes")
        firefox.click(button("Report as missing"))
        firefox.wait_for(f"location.pathname === '/my/bikes/{bike['id']}'", "the search")
        firefox.wait_for("document.querySelector('.live.on')?.textContent", "live")
        registry.hear(0, bike, 2, 0, ended=False)
        firefox.wait_for("document.querySelector('.latest-place')?.textContent === 'Parkhaus Mitte'", "the place")
        assert not firefox.faults, firefox.faults
    finally:
        firefox.close()
        push.close()
