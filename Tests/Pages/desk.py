"""The operator's desk."""

import random
import re
import sqlite3
import tempfile
import time
import uuid

from axe_playwright_python.sync_playwright import Axe
from keyboard import press_until
from playwright.sync_api import expect
from stage import Registry, Visitor, instant, missing_bike, some, test

RULES = {"rules": {"target-size": {"enabled": True}}}
DESKTOP = {"width": 1440, "height": 900}
HOUR = 3600


def operator(registry, browser, path="/desk", **options):
    """A browser in which the registry's operator is signed in with the token."""
    visitor = Visitor(browser, registry, **{"viewport": DESKTOP} | options)
    answer = visitor.context.request.post(f"{registry.url}/v1/desk/session", data={"token": registry.operator}, headers={
        "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.text()
    visitor.open(path)
    return visitor


def store(registry, statement, *values):
    with sqlite3.connect(registry.folder / "registry.sqlite", timeout=30) as database:
        database.execute(statement, values)
    database.close()


def station(registry, name):
    items = registry.call("GET", "/v1/stations?limit=500", token=registry.operator)["items"]
    return [item for item in items if item["name"] == name][-1]


def silent_station(registry, name, since=3 * HOUR):
    """A station that sent what it heard, and then no more."""
    token = registry.enrol(name, 52.53, 13.41, 10)
    begin = int(time.time()) // 900 * 900 - 8 * 900
    quarters = [{"begins": instant(begin + index * 900), "listened": 890, "adverts": 4000 + index, "devices": 30,
                 "restarts": 0, "listAge": 5000 if index == 3 else 40} for index in range(6)]
    registry.call("PUT", "/v1/station/heartbeat", {"version": "1.0.0", "listVersion": 1, "coverage": quarters, "adapters": [
        {"name": "hci0", "state": "scanning", "silentSeconds": 2, "reports": 120, "dropped": 0}]}, token)
    found = station(registry, name)
    store(registry, "UPDATE station_heartbeat SET received = ? WHERE station = (SELECT key FROM station WHERE id = ?)",
          int((time.time() - since) * 1000), uuid.UUID(found["id"]).bytes)
    return found


def waiting_alert(registry):
    """An alert by e-mail that cannot be delivered: this registry's mail server does not answer."""
    owner, bike, report = missing_bike(registry)
    channel = registry.call(
        "POST", "/v1/channels", {"kind": "email", "url": f"{uuid.uuid4()}@example.org"}, owner["token"])["channel"]
    store(registry, "UPDATE channel SET verified = ? WHERE id = ?", int(time.time() * 1000), uuid.UUID(channel["id"]).bytes)
    registry.hear(0, bike, 30, 20)
    return owner, bike, report


@test
def at_the_desk_by_keyboard(registry, browser):
    """The keyboard alone signs an operator in, finds a silent station, its hours, the queue and the audit, and revokes it."""
    name = f"Kiosk {uuid.uuid4().hex[:8]}"
    found = silent_station(registry, name)
    waiting_alert(registry)
    # Where it is noon: just after midnight, the hours before are those of another day.
    noon = 12 - time.gmtime().tm_hour
    visitor = Visitor(
        browser, registry, viewport=DESKTOP, reduced_motion="reduce", timezone_id=f"Etc/GMT{-noon:+d}" if noon else "UTC")
    visitor.allowed.append("status of 40[13]")
    page = visitor.page

    def follow(text):
        press_until(page, text)
        page.keyboard.press("Enter")

    visitor.page.goto(f"{registry.url}/desk")
    page.wait_for_url("**/desk/sign-in")
    page.get_by_label("Operator’s token").wait_for()
    press_until(page, "Operator’s token")
    page.keyboard.type("fmb_operator_" + "A" * 43)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not the token of an operator")
    press_until(page, "Operator’s token", "Shift+Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type(registry.operator)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    # The queue: an alert waits, and why.
    expect(page.get_by_role("row").filter(has_text="e-mail")).to_contain_text(re.compile(r"[1-9]"))
    page.reload()
    page.get_by_role("heading", name="Overview").wait_for()
    press_until(page, "Skip to the content")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    follow("silent")
    expect(page.get_by_role("heading", name="Stations", level=1)).to_be_visible()
    press_until(page, "Name")
    page.keyboard.type(name)
    expect(page.locator(".station-list li")).to_have_count(1)
    press_until(page, name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.locator("h1 + .chip")).to_have_text("Silent")
    expect(page.locator(".chart")).to_have_attribute("aria-label", re.compile("listened", re.IGNORECASE))
    assert page.locator(".bar.stale").count() == 1
    expect(page.get_by_role("button", name="Next day")).to_be_disabled()
    expect(page.get_by_role("button", name="Previous day")).to_be_enabled()
    follow("As a table")
    expect(page.get_by_role("cell", name=re.compile("minutes")).first).to_be_visible()
    # What cannot be undone needs the token once more, because the sign-in is too long ago.
    store(registry, "UPDATE desk_session SET proved = proved - 600000")
    press_until(page, "Revoke", "Shift+Tab")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Revoke")).to_be_focused()
    page.keyboard.press("Enter")
    # The dialog begins at Cancel.
    page.get_by_role("dialog").wait_for()
    press_until(page, "Revoke", "Shift+Tab")
    page.keyboard.press("Enter")
    again = page.get_by_role("dialog", name="Confirm that it is you")
    again.wait_for()
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.keyboard.type(registry.operator)
    page.keyboard.press("Enter")
    expect(page.locator("h1 + .chip")).to_have_text("Revoked")
    assert "revoked" in registry.call("GET", f"/v1/stations/{found['id']}", token=registry.operator)
    follow("Audit entries about this station")
    expect(page.get_by_role("heading", name="Audit")).to_be_visible()
    expect(page.get_by_role("cell", name="station.revoked")).to_be_visible()
    expect(page.get_by_role("cell", name="station.enrolled")).to_be_visible()
    offered = page.locator("#actions option").evaluate_all("(options) => options.map((option) => option.value)")
    assert "station.revoked" in offered and page.get_by_label("Action").get_attribute("list") == "actions", offered
    press_until(page, "Action")
    page.keyboard.type("station.revoked")
    page.keyboard.press("Enter")
    expect(page.get_by_role("cell", name="station.enrolled")).to_have_count(0)
    expect(page.get_by_role("cell", name="station.revoked")).to_have_count(1)
    page.go_back()
    expect(page.get_by_role("cell", name="station.enrolled")).to_be_visible()
    press_until(page, "Sign out", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sign in to the desk")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/desk/sign-in**")
    visitor.close()


@test
def a_station_with_a_broken_radio(registry, browser):
    """A station whose radio has failed is never shown as one that listens: not in the overview, the list or on its page."""
    name = f"Kiosk {uuid.uuid4().hex[:8]}"
    token = registry.enrol(name, 52.52, 13.4, 10)
    registry.call("PUT", "/v1/station/heartbeat", {"version": "1.0.0", "listVersion": 1, "adapters": [
        {"name": "hci0", "state": "failed", "silentSeconds": 4000}]}, token)
    visitor = operator(registry, browser)
    page = visitor.page
    expect(page.locator(".figures div", has_text="Does not hear").locator("dd")).to_have_text(re.compile("[1-9]"))
    page.get_by_role("link", name=re.compile("do(es)? not hear")).click()
    expect(page.get_by_label("State")).to_have_value("deaf")
    page.get_by_label("Name", exact=True).fill(name)
    expect(page.locator(".station-list li")).to_have_count(1)
    expect(page.locator(".station-list li .chip.bad")).to_have_text("Does not hear")
    page.get_by_role("link", name=name).first.click()
    expect(page.locator("h1 + .chip.bad")).to_have_text("Does not hear")
    expect(page.get_by_role("cell", name="failed", exact=True)).to_be_visible()
    # It is new, so nothing is wrong with this day.
    expect(page.get_by_text("Nothing is known about this day yet.")).to_be_visible()
    page.get_by_role("button", name="Previous day").click()
    expect(page.get_by_text("Nothing is known about this day: the station sent nothing")).to_be_visible()
    visitor.close()


@test
def a_passkey_for_the_desk(registry, browser):
    """A passkey signs the operator in and confirms what cannot be undone, once, with the same request."""
    made = registry.call("POST", "/v1/operators", {"name": "Ada"}, registry.operator)
    token = made["token"]
    visitor = Visitor(browser, registry, viewport=DESKTOP)
    visitor.add_authenticator()
    visitor.allowed.append("status of 403")
    page = visitor.page
    visitor.open("/desk/sign-in")
    page.get_by_label("Operator’s token").fill(token)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name=re.compile("^Remove: "))).to_have_count(1)
    expect(page.get_by_text("never used")).to_be_visible()
    expect(page.get_by_text("This browser", exact=True)).to_be_visible()
    storage = page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")
    assert "fmb_" not in storage, storage
    cookie = {each["name"]: each for each in visitor.context.cookies()}["__Host-desk"]
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict", cookie
    assert cookie["value"] not in storage
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    # An invitation is cancelled with a passkey once more.
    name = f"Laden {uuid.uuid4().hex[:8]}"
    page.get_by_role("link", name="Invitations").click()
    page.get_by_label("Name of the station").fill(name)
    page.get_by_label("Latitude").fill("52.5")
    page.get_by_label("Longitude").fill("13.4")
    page.get_by_role("button", name="Make a code", exact=True).click()
    command = page.get_by_text("findmybike-monitor enrol").inner_text()
    assert re.fullmatch(rf"sudo findmybike-monitor enrol {re.escape(registry.url)} [0-9A-Z-]+", command), command
    store(registry, "UPDATE desk_session SET proved = proved - 600000")
    asked = []
    page.on("request", lambda request: asked.append(request) if request.method == "DELETE" else None)
    page.get_by_role("button", name=f"Cancel the invitation of {name}").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel the invitation").click()
    page.get_by_role("button", name="Use my passkey").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was done")
    page.get_by_role("dialog").get_by_role("button", name="Cancel the invitation").click()
    page.get_by_role("button", name="Use my passkey").click()
    expect(page.get_by_role("button", name=f"Cancel the invitation of {name}")).to_have_count(0)
    assert len(asked) == 3, [request.url for request in asked]
    pending = registry.call("GET", "/v1/invitations?limit=500", token=registry.operator)["items"]
    assert name not in [item["name"] for item in pending]
    # Another operator takes the access away: the page is left at its next look.
    registry.call("DELETE", f"/v1/operators/{made['details']['id']}", token=registry.operator)
    visitor.allowed.append("status of 401")
    page.get_by_role("link", name="Messages").click()
    page.wait_for_url("**/desk/sign-in**")
    visitor.close()


@test
def the_desk_is_apart(registry, browser):
    """An owner loads nothing of the desk; both can be signed in in one browser, and neither's sign-out ends the other."""
    owner, bike, _ = missing_bike(registry)
    visitor = Visitor(browser, registry, viewport=DESKTOP)
    visitor.allowed.append("status of 401")
    page = visitor.page
    loaded = []
    visitor.context.on("request", lambda request: loaded.append(request.url))
    visitor.sign_in(owner["token"])
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    for path in ("/my", f"/my/bikes/{bike['id']}", "/my/account"):
        visitor.open(path)
    kept = page.evaluate("""async () => (await Promise.all((await caches.keys()).map(
        async (name) => (await (await caches.open(name)).keys()).map((request) => request.url)))).flat()""")
    assert kept and not [url for url in loaded + kept if "desk" in url], [url for url in loaded + kept if "desk" in url]
    answer = visitor.context.request.post(f"{registry.url}/v1/desk/session", data={"token": registry.operator}, headers={
        "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.text()
    del loaded[:]
    for path in ("/desk", "/desk/reviews", "/desk/stations"):
        visitor.open(path)
    page.wait_for_timeout(500)
    def scripts(path):
        return set(re.findall(r'modulepreload" href="([^"]+)"', visitor.context.request.get(registry.url + path).text()))

    # What desk and pages have in common is the same file.
    own = scripts("/my") - scripts("/desk")
    assert own and not [url for url in loaded if url.removeprefix(registry.url) in own], loaded
    kept = page.evaluate("""async () => (await (await caches.open("answers")).keys()).map((request) => request.url)""")
    assert not [url for url in kept if re.search("/v1/(owners|overview|station|references|claims)", url)], kept
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in to the desk")).to_be_visible()
    visitor.open("/my")
    expect(page.get_by_role("heading", name="My bikes")).to_be_visible()
    # The owner's cookie is still there, and of no use at the desk.
    assert visitor.context.request.get(f"{registry.url}/v1/overview").status in (401, 403)
    visitor.close()


@test
def what_strangers_wrote(registry, browser):
    """Names, messages and the audit are shown as text, whatever they contain, and long words do not widen the page."""
    begin = time.time() - 1
    evil = "<img src=x onerror=alert(1)>" + "W" * 36
    token = registry.enrol(evil[:64], 52.51, 13.42, 10)
    registry.call("PUT", "/v1/station/heartbeat", {"version": "<b>1</b>", "adapters": [
        {"name": "hci0", "state": "failed", "lastError": "<script>alert(1)</script>" + "x" * 150}]}, token)
    owner, bike, _ = missing_bike(registry)
    code = registry.call("PUT", f"/v1/bikes/{bike['id']}/sticker", {}, owner["token"])["code"]
    finder = browser.new_context(java_script_enabled=False)
    found = finder.new_page()
    found.goto(f"{registry.url}/found/{code}")
    text = "<a href=javascript:alert(1)>money</a> " + "M" * 400
    found.get_by_role("textbox").fill(text)
    found.get_by_role("button", name="Send").click()
    finder.close()
    base = f"/v1/bikes/{bike['id']}/conversations"
    conversation = registry.call("GET", base, token=owner["token"])["items"][0]["id"]
    registry.call("PUT", f"{base}/{conversation}/closure", {"blocked": True, "report": "<i>threat</i>"}, owner["token"])
    for width in (1440, 320):
        visitor = operator(registry, browser, "/desk/messages", viewport={"width": width, "height": 844})
        page = visitor.page

        def check(visitor=visitor, page=page, width=width):
            wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{page.url} is wider than {width}"
            assert page.locator("main img:not([src^='blob:']), main script, main i:not(.bar i)").count() == 0
        expect(page.get_by_text(text, exact=True).first).to_be_visible()
        expect(page.get_by_text("<i>threat</i>", exact=True).first).to_be_visible()
        check()
        visitor.open("/desk/stations?name=onerror")
        expect(page.get_by_role("link", name=evil[:64]).first).to_be_visible()
        check()
        page.get_by_role("link", name=evil[:64]).first.click()
        expect(page.get_by_role("heading", name=evil[:64])).to_be_visible()
        expect(page.get_by_text("<script>alert(1)</script>")).to_be_visible()
        check()
        visitor.open(f"/desk/audit?action=station.invited&since={instant(begin)}")
        expect(page.get_by_text(evil[:64]).first).to_be_visible()
        check()
        visitor.close()
    visitor = operator(registry, browser, "/desk/messages")
    card = visitor.page.locator(".card", has_text=text[:40]).first
    count = visitor.page.locator("main .card").count()
    card.get_by_role("button", name="Settle").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Settle").click()
    expect(visitor.page.locator("main .card")).to_have_count(count - 1)
    expect(visitor.page.get_by_role("heading", level=1)).to_be_focused()
    visitor.close()


@test
def buyers_at_the_desk(registry, browser):
    """A conversation that a check of a number began is shown as a buyer's; the audit is read from its end, page by page."""
    owner = registry.owner()
    bike = registry.bike(owner["token"], serial="DESK 77 BUY", buyerCheck=True)
    registry.report(owner["token"], bike, missingSince=instant(time.time() - HOUR))
    buyer = browser.new_context(java_script_enabled=False, locale="en-GB")
    check = buyer.new_page()
    check.goto(f"{registry.url}/check")
    check.get_by_label("Serial or frame number").fill("desk77buy")
    check.get_by_role("button", name="Check").click()
    text = f"Offered to me for {uuid.uuid4().hex[:8]} euros"
    check.get_by_label("Your message").fill(text)
    check.get_by_role("button", name="Send").click()
    expect(check.get_by_text("Your message has been sent.")).to_be_visible()
    buyer.close()
    base = f"/v1/bikes/{bike['id']}/conversations"
    conversation = registry.call("GET", base, token=owner["token"])["items"][0]["id"]
    registry.call("PUT", f"{base}/{conversation}/closure", {"blocked": True, "report": "Wants money"}, owner["token"])
    visitor = operator(registry, browser, "/desk/messages")
    page = visitor.page
    card = page.locator(".card", has_text=text)
    expect(card).to_contain_text("Buyer ·")
    expect(card).to_contain_text("After a check of the bike’s number")
    assert "undefined" not in page.locator("main").inner_text()
    # Enough entries for two pages.
    for _ in range(3):
        registry.enrol_stations()
    visitor.open("/desk/audit")
    length = registry.call("GET", "/v1/overview", token=registry.operator)["audit"]["length"]
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(25)
    expect(rows.first.locator("td").first).to_have_text(f"{length:,}")
    page.get_by_role("link", name="Earlier entries").click()
    expect(rows.first.locator("td").first).to_have_text(f"{length - 25:,}")
    page.get_by_role("link", name="Latest entries").click()
    expect(rows.first.locator("td").first).to_have_text(f"{length:,}")
    visitor.close()


@test
def reviews_at_the_desk(registry, browser):
    """A reference is confirmed, a beacon refused, an owner suspended and a search stopped, each after a question."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    reference = f"CAD {uuid.uuid4().hex[:8]}"
    report = registry.report(owner["token"], bike, missingSince=instant(time.time() - HOUR), policeReference=reference)
    claimed = {"uuid": str(uuid.uuid4()).upper(), "major": 7, "minor": 9}
    registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter", identity=claimed)
    visitor = operator(registry, browser, "/desk/reviews")
    page = visitor.page

    def answer(name):
        page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name=f"Confirm: {reference}").click()
    answer("Confirm")
    expect(page.get_by_role("button", name=f"Confirm: {reference}")).to_have_count(0)
    review = registry.call("GET", f"/v1/owners/{owner['owner']['id']}", token=registry.operator)
    assert [item for item in review["reports"] if item["id"] == report["id"]][0]["confirmed"]
    beacon = f"{claimed['uuid']}:7:9"
    page.get_by_role("button", name=f"Refuse: {beacon}").click()
    page.get_by_label("Reason").last.fill("It is a shop’s <b>beacon</b>")
    answer("Refuse")
    expect(page.get_by_role("button", name=f"Refuse: {beacon}")).to_have_count(0)
    page.get_by_label("Open an owner by identifier").fill(owner["owner"]["id"])
    page.get_by_label("Open an owner by identifier").press("Enter")
    page.get_by_role("button", name="Suspend", exact=True).click()
    answer("Suspend")
    expect(page.get_by_text("Suspended since")).to_be_visible()
    # Only the quota that was typed is set; the others show what the settings allow.
    expect(page.get_by_label("Photos")).to_have_value("")
    expect(page.get_by_label("Photos")).to_have_attribute("placeholder", "60")
    page.get_by_label("Photos").fill("3")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    review = registry.call("GET", f"/v1/owners/{owner['owner']['id']}", token=registry.operator)
    assert review["exceptions"] == {"photos": 3}, review
    page.reload()
    expect(page.get_by_label("Photos")).to_have_value("3")
    expect(page.get_by_label("Tokens")).to_have_value("")
    page.get_by_role("button", name="Lift the suspension").click()
    answer("Lift the suspension")
    expect(page.get_by_role("button", name="Suspend", exact=True)).to_be_visible()
    page.get_by_role("button", name=f"Withdraw: {reference}").click()
    answer("Withdraw")
    expect(page.get_by_role("button", name=f"Confirm: {reference}")).to_be_visible()
    visitor.open("/desk/reviews")
    values = "{uuid}:{major}:{minor}".format(**bike["identity"])
    page.get_by_label("Beacon, as UUID:major:minor").fill(values)
    page.get_by_label("Reason").fill("Somebody else carries it.")
    page.get_by_role("button", name="Stop it").click()
    expect(page.get_by_text("Stations no longer search for this beacon.")).to_be_visible()
    page.get_by_role("button", name="Allow it again").click()
    expect(page.get_by_text("Stations may search for this beacon again.")).to_be_visible()
    visitor.close()


@test
def a_station_changes(registry, browser):
    """A station is renamed and moved with a time, and its reports are put under quarantine, after questions."""
    name = f"Laden {uuid.uuid4().hex[:8]}"
    registry.enrol(name, 52.5, 13.4, 10)
    found = station(registry, name)
    # A move is later than the enrolment.
    store(registry, "UPDATE station SET enrolled = ? WHERE id = ?", int((time.time() - 5 * HOUR) * 1000), uuid.UUID(found["id"]).bytes)
    visitor = operator(registry, browser, f"/desk/stations/{found['id']}")
    page = visitor.page
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").first.fill(name + " neu")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name=name + " neu")).to_be_visible()
    page.get_by_role("button", name="Move").click()
    page.get_by_label("Latitude").fill("91")
    page.get_by_role("dialog").get_by_role("button", name="Move").click()
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.get_by_label("Latitude").fill("52.6")
    page.get_by_label("When was it moved?").fill(time.strftime("%Y-%m-%dT%H:%M", time.localtime(time.time() - 2 * HOUR)))
    page.get_by_role("dialog").get_by_role("button", name="Move").click()
    expect(page.get_by_text("52.6, 13.4")).to_be_visible()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    page.get_by_label("Quarantine its sightings since").fill(
        time.strftime("%Y-%m-%dT%H:%M", time.localtime(time.time() - HOUR)))
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("In quarantine since")).to_be_visible()
    after = registry.call("GET", f"/v1/stations/{found['id']}", token=registry.operator)
    assert after["name"] == name + " neu" and after["place"]["latitude"] == 52.6 and after["quarantinedSince"], after
    visitor.open("/desk/access")
    page.get_by_role("button", name="Add an operator").click()
    page.get_by_label("Name").fill("Grace <b>")
    page.get_by_role("dialog").get_by_role("button", name="Add an operator").click()
    token = page.get_by_text(re.compile("^fmb_operator_")).inner_text()
    assert registry.call("GET", "/v1/operators", token=token)["items"]
    visitor.open("/desk/access")
    page.get_by_role("button", name="Revoke Grace <b>").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("button", name="Revoke Grace <b>")).to_have_count(0)
    visitor.close()


PASTE = """([field, text]) => { field.value = ""; field.focus(); document.execCommand("insertText", false, text);
    field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true })); }"""


@test
def coordinates_from_a_map(registry, browser):
    """Coordinates that were copied from a map fill both fields, decimal commas are read, and nothing else is taken for a number."""
    visitor = operator(registry, browser, "/desk/invitations")
    page = visitor.page
    fields = {name: page.get_by_label(name) for name in ("Latitude", "Longitude")}
    for text, latitude, longitude in (
            ("52.51630, 13.37770", "52.5163", "13.3777"), ("52.51630,13.37770", "52.5163", "13.3777"),
            ("52,51630; 13,37770", "52.5163", "13.3777"), ("(51.5°, −0.12463°)", "51.5", "-0.12463"),
            ("-33,8568 151,2153", "-33.8568", "151.2153")):
        for name in fields:
            for field in fields.values():
                field.fill("")
            page.evaluate(PASTE, [fields[name].element_handle(), text])
            assert (fields["Latitude"].input_value(), fields["Longitude"].input_value()) == (latitude, longitude), text
    # A pair that is typed is divided when its field is left.
    fields["Longitude"].fill("")
    fields["Latitude"].fill("48.1 11.5")
    fields["Latitude"].blur()
    expect(fields["Longitude"]).to_have_value("11.5")
    for wrong in ("91", "52.516301337770x", "52,51630,13,37770", "north", "1.2.3", "52.5, 13.4, 7"):
        fields["Latitude"].fill(wrong)
        message = fields["Latitude"].evaluate("(field) => field.validationMessage")
        assert message.startswith("Enter degrees"), (wrong, message)
    name = f"Laden {uuid.uuid4().hex[:8]}"
    page.get_by_label("Name of the station").fill(name)
    fields["Latitude"].fill("51,50072")
    fields["Longitude"].fill("−0,12463")
    page.get_by_role("button", name="Make a code", exact=True).click()
    page.get_by_text("findmybike-monitor enrol").wait_for()
    items = registry.call("GET", "/v1/invitations?limit=500", token=registry.operator)["items"]
    place = [item["place"] for item in items if item["name"] == name]
    assert place == [{"latitude": 51.50072, "longitude": -0.12463}], place
    visitor.close()


@test
def the_desk_on_a_phone(registry, browser):
    """On a phone each page can be reached without scrolling sideways, health comes before actions, and identifiers are short."""
    # Its name is a detail of the audit’s newest entries.
    name = f"At {uuid.uuid4()}"
    registry.enrol(name, 52.5, 13.4, 10)
    found = station(registry, name)
    for locale in ("en-GB", "de-DE"):
        visitor = operator(registry, browser, viewport={"width": 360, "height": 780}, locale=locale)
        page = visitor.page
        links = page.locator(".side nav a").evaluate_all(
            "(links) => links.map((link) => link.getBoundingClientRect()).map(({ left, right }) => [left, right])")
        assert len(links) == 9 and all(left >= 0 and right <= 360 for left, right in links), links
        visitor.open("/desk/audit")
        page.locator("tbody tr").first.wait_for()
        full = re.findall("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}", page.locator("tbody").inner_text())
        assert not full, full
        expect(page.locator(f"tbody [title='{name}']").first).to_have_text(f"At …{name[-8:]}")
        visitor.open(f"/desk/stations/{found['id']}")
        health, actions = page.locator("main .facts").first, page.locator("main .row button").first
        assert health.bounding_box()["y"] < actions.bounding_box()["y"]
        visitor.close()


@test
def a_desk_that_nobody_uses(registry, browser):
    """A desk whose session has ended leaves the screen by itself."""
    visitor = Visitor(browser, registry, viewport=DESKTOP)
    visitor.allowed.append("status of 401")
    visitor.page.clock.install()
    visitor.context.request.post(f"{registry.url}/v1/desk/session", data={"token": registry.operator}, headers={
        "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
    visitor.open("/desk/reviews")
    # Looking at the registry each minute is no use of the session.
    store(registry, "UPDATE desk_session SET used = used - 3590000, began = began - 3590000")
    time.sleep(11)
    visitor.page.clock.fast_forward(61_000)
    visitor.page.wait_for_url("**/desk/sign-in?to=%2Fdesk%2Freviews")
    visitor.close()


@test
def the_desk_for_everybody(registry, browser):
    """No page of the desk breaks a rule of WCAG 2.2 AA, in light and dark, in English and German, on a phone and a screen."""
    found = silent_station(registry, f"Kiosk {uuid.uuid4().hex[:8]}")
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    registry.report(owner["token"], bike, missingSince=instant(time.time() - HOUR), policeReference="4471/26")
    claimed = {"uuid": str(uuid.uuid4()).upper(), "major": 1, "minor": 2}
    registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter", identity=claimed)
    registry.call("POST", "/v1/invitations", {"name": "Laden", "place": {"latitude": 52, "longitude": 13}}, registry.operator)
    waiting_alert(registry)
    paths = ["/desk", "/desk/stations", f"/desk/stations/{found['id']}", "/desk/invitations", "/desk/reviews",
             f"/desk/owners/{owner['owner']['id']}", "/desk/messages", "/desk/audit", "/desk/access", "/desk/nothing"]
    broken = []
    looks = (("light", "en-GB", 1440), ("dark", "de-DE", 390), ("light", "de-DE", 1440), ("dark", "en-GB", 320),
             ("light", "en-GB", 1024))
    for scheme, locale, width in some(looks):
        visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                          viewport={"width": width, "height": 900}, reduced_motion="reduce")
        page = visitor.page

        def check(name, page=page, mode=f"{scheme} {locale} {width}"):
            wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            if wide:
                broken.append(f"{name} {mode}: wider than the screen")
            for rule in Axe().run(page, options=RULES).response["violations"]:
                broken.append(f"{name} {mode}: {rule['id']} {[node['html'][:120] for node in rule['nodes']][:2]}")

        visitor.open("/desk/sign-in")
        check("sign-in")
        visitor.context.request.post(f"{registry.url}/v1/desk/session", data={"token": registry.operator}, headers={
            "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
        for path in paths:
            visitor.open(path)
            if path == "/desk/stations":
                page.wait_for_selector(".leaflet-container canvas")
            page.wait_for_timeout(300)
            page.evaluate("() => document.querySelectorAll('details').forEach((part) => (part.open = true))")
            check(path)
        visitor.open(f"/desk/stations/{found['id']}")
        for number in range(3):
            page.locator("main .row button").nth(number).click()
            page.get_by_role("dialog").wait_for()
            check(f"dialog {number}")
            page.keyboard.press("Escape")
        visitor.close()
    assert not broken, "\n".join(broken)


# The slowest time from an input to the next paint, as browsers report it (Event Timing).
INTERACTIONS = """() => { window.interactions = []; new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    if (entry.interactionId || entry.name === "wheel" || entry.name === "scroll") interactions.push([entry.duration, entry.name]);
})).observe({ type: "event", buffered: true, durationThreshold: 16 }); }"""


def many_stations(registry, count):
    """Adds stations around a town, a tenth of them silent, straight to the database."""
    now = int(time.time() * 1000)
    chance = random.Random(1)
    words = ["Café", "Kiosk", "Garage", "Parkhaus", "Tankstelle", "Werkstatt", "Bäckerei", "Hotel"]
    beat = b'{"version":"1.0.0","adapters":[]}'
    with sqlite3.connect(registry.folder / "registry.sqlite", timeout=30) as database:
        first = database.execute("SELECT max(key) FROM station").fetchone()[0] + 1
        for key in range(first, first + count):
            name = f"{chance.choice(words)} {key}"
            database.execute("INSERT INTO station (key, id, name, venue, mobile, enrolled) VALUES (?, ?, ?, ?, 0, ?)",
                             (key, uuid.UUID(int=now << 80 | 7 << 76 | 2 << 62 | key).bytes, name, name, now))
            database.execute("INSERT INTO station_place (station, since, latitude, longitude, accuracy) VALUES (?, 0, ?, ?, 10)",
                             (key, 52.5 + chance.gauss(0, 0.08), 13.4 + chance.gauss(0, 0.14)))
            if key % 50:
                database.execute("INSERT INTO station_heartbeat (station, received, heartbeat) VALUES (?, ?, ?)",
                                 (key, now - (3 * 3600_000 if key % 10 == 0 else 0), beat))
    database.close()


@test
def ten_thousand_stations(registry, browser):
    """With 10,000 stations, each input is on the screen in 200 ms with the processor slowed 4 times; a few rows are drawn."""
    with tempfile.TemporaryDirectory(prefix="findmybike-desk-") as folder:
        large = Registry(registry.programs, folder)
        many_stations(large, 10_000)
        large.stop()
        large.start()
        visitor = operator(large, browser, "/desk")
        visitor.context.add_init_script(f"({INTERACTIONS})()")
        page = visitor.page
        page.reload()
        page.wait_for_selector("h1")
        devtools = visitor.context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        slowest = {}

        def measure(name, act, least=600):
            page.evaluate("() => { interactions.length = 0; }")
            act()
            page.wait_for_timeout(least)
            times = [duration for duration, _ in page.evaluate("() => interactions")]
            slowest[name] = max(times, default=16)

        measure("a click on “Stations”", lambda: page.get_by_role("link", name="Stations", exact=False).first.click(), 5000)
        expect(page.locator(".map canvas")).to_have_count(1)
        page.wait_for_timeout(3000)
        expect(page.get_by_role("status").filter(has_text="stations")).to_have_text(re.compile("10,00[0-9] stations"))
        search = page.get_by_label("Name", exact=True)
        measure("a letter in the search", lambda: search.press_sequentially("gar", delay=400), 1500)
        expect(page.get_by_role("status").filter(has_text="stations")).to_contain_text(" of 10,0")
        measure("the search is emptied", lambda: (search.focus(), page.keyboard.press("Control+A"), page.keyboard.press("Delete")), 1500)
        measure("a state is chosen", lambda: (page.get_by_label("State").focus(), page.keyboard.press("ArrowDown")), 1500)
        page.get_by_label("State").select_option("")
        page.wait_for_timeout(1500)
        row = page.locator(".station-list a[tabindex='0']")
        row.focus()
        measure("an arrow key in the list", lambda: [page.keyboard.press("ArrowDown") for _ in range(5)], 1500)
        measure("to the end of the list", lambda: page.keyboard.press("End"), 1500)
        expect(page.locator(".station-list a:focus")).to_have_count(1)
        drawn = page.locator(".station-list li").count()
        assert drawn < 80, drawn
        measure("closer on the map", lambda: page.get_by_role("button", name="Closer").click(), 1500)
        measure("a click on the map", lambda: page.locator(".map").click(position={"x": 300, "y": 200}), 1500)
        measure("all on the map", lambda: page.get_by_role("button", name="Show all").click(), 1500)
        page.locator(".map").focus()
        measure("an arrow key on the map", lambda: page.keyboard.press("ArrowRight"), 1500)
        for name, duration in slowest.items():
            print(f"    {name}: {duration:.0f} ms to the next paint; limit 200 ms{'' if duration <= 200 else '  MISSED'}")
        visitor.close()
        large.stop()
