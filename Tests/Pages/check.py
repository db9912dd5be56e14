"""Looks at the registry's pages in a real browser, as owners use them. Called by scripts/pages.sh.

Each test is a function that gets a registry and a browser; its docstring is what must hold.
"""

import argparse
import base64
import pathlib
import re
import sqlite3
import sys
import tempfile
import time
import traceback

import accounts  # noqa: F401: its tests register themselves, as those of the next modules do
import beforehand  # noqa: F401
import buyers  # noqa: F401
import council  # noqa: F401
import demo  # noqa: F401
import displays  # noqa: F401
import desk  # noqa: F401
import desk_places  # noqa: F401
import finders  # noqa: F401
import firefox  # noqa: F401
import followed  # noqa: F401
import keyboard  # noqa: F401
import letters  # noqa: F401
import looks  # noqa: F401
import maps  # noqa: F401
import midnight  # noqa: F401
import partners  # noqa: F401
import photos  # noqa: F401
import pictures
import protection  # noqa: F401
import refusals  # noqa: F401
import rotating  # noqa: F401
import searches  # noqa: F401
import webkit  # noqa: F401
import words  # noqa: F401
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright
from stage import TESTS, Registry, Visitor, missing_bike, some, stored, test

# Targets of at least 24 px (WCAG 2.2, 2.5.8), which axe leaves out otherwise.
RULES = {"rules": {"target-size": {"enabled": True}}}


@test
def signing_up(registry, browser):
    """Signing up with a passkey shows ten recovery codes once, and leaves no secret where scripts can read it."""
    visitor = Visitor(browser, registry)
    visitor.add_authenticator()
    page = visitor.page
    visitor.open("/")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.locator(".codes li")).to_have_count(10)
    codes = page.locator(".codes li").all_inner_texts()
    page.get_by_role("link", name="I have kept my codes").click()
    expect(page.get_by_role("heading", name="My bikes")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="My bikes")).to_be_visible()
    assert not any(code in page.content() for code in codes)
    cookies = {cookie["name"]: cookie for cookie in visitor.context.cookies()}
    session = cookies["__Host-session"]
    assert session["httpOnly"] and session["secure"] and session["sameSite"] == "Strict", session
    storage = page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")
    assert session["value"] not in storage and "fmb_" not in storage, storage
    visitor.close()


@test
def signing_in(registry, browser):
    """A passkey, a recovery code and a token each sign a browser in; a wrong code is refused in words."""
    visitor = Visitor(browser, registry)
    visitor.add_authenticator()
    page = visitor.page
    visitor.open("/sign-up")
    page.get_by_role("button", name="Create a passkey").click()
    code = page.locator(".codes li").first.inner_text()
    page.get_by_role("link", name="I have kept my codes").click()
    sign_out(page)
    visitor.open("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/my")
    sign_out(page)
    visitor.sign_in(code, "/sign-in")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/my")
    sign_out(page)
    visitor.sign_in(registry.owner()["token"])
    sign_out(page)
    visitor.allowed.append("status of 40[13]|status of 422")
    visitor.open("/sign-in")
    page.get_by_text("Lost your phone? Use a code").click()
    page.get_by_label("Recovery code").fill("0000-0000-0000-0000")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    visitor.close()


def sign_out(page):
    page.get_by_role("link", name="Account", exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Create an account")).to_be_visible()


@test
def signed_out(registry, browser):
    """Without a session each page leads to signing in, and from there to where the person wanted to go."""
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 401")
    visitor.page.goto(f"{registry.url}/my/account")
    visitor.page.wait_for_url("**/sign-in?to=%2Fmy%2Faccount")
    token = registry.owner()["token"]
    visitor.page.get_by_text("Lost your phone? Use a code").click()
    visitor.page.get_by_label("Recovery code").fill(token)
    visitor.page.get_by_role("button", name="Sign in", exact=True).click()
    visitor.page.wait_for_url("**/my/account")
    visitor.close()


@test
def gone_in_two_taps(registry, browser):
    """A bike is added with its beacon's values shown; two taps report it missing, and a double tap reports it once."""
    owner = registry.owner()
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    page.get_by_role("link", name="Add a bike").click()
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_text("Green", exact=True).click()
    page.get_by_role("button", name="Add this bike").click()
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    bike = registry.call("GET", "/v1/bikes", token=owner["token"])["items"][0]
    expect(page.get_by_text(bike["identity"]["uuid"])).to_be_visible()
    expect(page.get_by_text(str(bike["identity"]["minor"]), exact=True)).to_be_visible()
    visitor.open("/my")
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_role("button", name="Report as missing").dblclick()
    expect(page.get_by_text("No station has heard it yet")).to_be_visible()
    reports = registry.call("GET", f"/v1/bikes/{bike['id']}/reports", token=owner["token"])["items"]
    assert len(reports) == 1 and "closed" not in reports[0], reports
    visitor.close()


@test
def a_trail(registry, browser):
    """Each sighting shows place, time, level and reasons; a new one appears by itself; one can be dismissed; it ends."""
    owner, bike, report = missing_bike(registry)
    registry.hear(1, bike, 50, 40)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    page.get_by_role("link", name="Brompton C Line").click()
    rows = page.locator(".trail > li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Parkhaus Mitte")
    # Yesterday, just after midnight.
    expect(rows.first).to_contain_text(re.compile("Today|Yesterday"))
    expect(rows.first).to_contain_text("within about 60 m")
    expect(rows.first).to_contain_text("Corroborated")
    expect(rows.first).to_contain_text("Another venue heard it, too.")
    expect(page.locator(".map path.path")).to_have_count(1)
    expect(page.locator(".leaflet-control-scale-line")).to_have_text(re.compile(r"^\d{2,3} m$"))
    expect(page.locator(".live.on")).to_be_visible()
    begin = time.monotonic()
    registry.hear(2, bike, 2, 0, ended=False)
    expect(rows).to_have_count(3)
    print(f"    a sighting was on the screen {time.monotonic() - begin:.2f} s after it was sent")
    expect(page.locator(".latest-place")).to_have_text("Tankstelle Ost")
    rows.first.get_by_role("button", name="Not my bike").click()
    page.get_by_role("dialog").get_by_role("button", name="Not my bike").click()
    expect(rows.first).to_contain_text("Marked as “not my bike”")
    expect(page.locator(".latest-place")).to_have_text("Parkhaus Mitte")
    page.get_by_role("button", name="End the search…").click()
    page.get_by_role("button", name="End the search", exact=True).click()
    expect(page.get_by_text("The bike came back")).to_be_visible()
    path = f"/v1/bikes/{bike['id']}/reports/{report['id']}"
    assert registry.call("GET", path, token=owner["token"])["closure"]["outcome"] == "recovered"
    visitor.close()


@test
def a_photo(registry, browser):
    """A photo from the phone is shown upright with the bike, and can be removed; other files are refused in words."""
    visitor = Visitor(browser, registry)
    visitor.add_authenticator()
    page = visitor.page
    visitor.open("/sign-up")
    page.get_by_role("button", name="Create a passkey").click()
    page.get_by_role("link", name="I have kept my codes").click()
    page.get_by_role("link", name="Add a bike").click()
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_text("Green", exact=True).click()
    page.get_by_role("button", name="Add this bike").click()
    page.locator("input[type=file]").set_input_files(picture(page))
    expect(page.get_by_role("checkbox", name="Staff may see it")).to_be_visible()
    photo = page.locator(".photos img")
    expect(photo).to_have_count(1)
    page.wait_for_function("() => document.querySelector('.photos img').naturalWidth > 0")
    visitor.open("/my")
    page.wait_for_function("() => document.querySelector('.bike-heading img').naturalWidth > 0")
    page.get_by_role("link", name="Brompton C Line").click()
    visitor.allowed.append("status of 422|status of 415")
    page.locator("input[type=file]").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"%PDF-1.7"})
    expect(page.get_by_role("alert")).to_contain_text("PDF")
    page.get_by_role("button", name="Remove this photo").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(photo).to_have_count(1)
    page.get_by_role("button", name="Remove this photo").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove this photo").click()
    expect(photo).to_have_count(0)
    expect(page.get_by_role("button", name="Add a photo")).to_be_focused()
    visitor.close()


def picture(page):
    """A picture that the browser itself draws."""
    data = page.evaluate("""() => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [2000, 1500];
        canvas.getContext("2d").fillRect(0, 0, 1000, 1500);
        return canvas.toDataURL("image/jpeg");
    }""")
    return {"name": "bike.jpg", "mimeType": "image/jpeg", "buffer": base64.b64decode(data.split(",")[1])}


@test
def evidence_and_letter(registry, browser):
    """The evidence pack is downloaded as a file, and the letter names the bike and each place."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Evidence for the police").click()
    assert "Parkhaus Mitte" in pathlib.Path(download.value.path()).read_text("utf-8", "replace")
    page.get_by_role("link", name="Letter to the police").click()
    expect(page.get_by_text("52.5231, 13.4021")).to_be_visible()
    visitor.close()


@test
def without_a_connection(registry, browser):
    """Offline the bikes and the last trail are shown with their age, and a report is never claimed as sent."""
    owner, bike, _ = missing_bike(registry)
    other = registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter")
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    for path in ("/my", f"/my/bikes/{bike['id']}", f"/my/bikes/{other['id']}", "/my"):
        visitor.open(path)
    visitor.allowed.append("ERR_INTERNET_DISCONNECTED|Failed to load resource")
    visitor.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("No connection")
    page.get_by_role("link", name="Brompton C Line").click()
    expect(page.locator(".latest-place")).to_have_text("Parkhaus Mitte")
    visitor.open(f"/my/bikes/{other['id']}")
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_role("button", name="Report as missing").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was sent", timeout=20_000)
    visitor.context.set_offline(False)
    reports = registry.call("GET", f"/v1/bikes/{other['id']}/reports", token=owner["token"])["items"]
    assert reports == [], reports
    visitor.close()


@test
def for_everybody(registry, browser):
    """No page breaks a rule of WCAG 2.2 AA, in light and dark, in English and German, on a phone and on a screen."""
    owner, bike, _ = missing_bike(registry)
    other = registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter")
    registry.hear(1, bike, 50, 40)
    registry.hear(0, bike, 30, 20)
    paths = ["/", "/about", "/sign-in", "/sign-up", "/my", f"/my/bikes/{bike['id']}", f"/my/bikes/{other['id']}",
             f"/my/bikes/{bike['id']}/letter", f"/my/bikes/{bike['id']}/poster", "/my/new-bike", "/my/account"]
    looks = [("light", "en-GB", 390), ("dark", "de-DE", 1280), ("light", "de-DE", 1280), ("dark", "en-GB", 390)]
    found = []
    for scheme, locale, width in some(looks):
        visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                          viewport={"width": width, "height": 844}, reduced_motion="reduce")
        # A bike without a sticker's code says so when the part is opened.
        visitor.allowed.append("status of 404")
        for path in paths:
            if path == "/my":
                visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": owner["token"]}, headers={
                    "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
            visitor.open(path)
            visitor.page.evaluate("() => document.querySelectorAll('details').forEach((part) => (part.open = true))")
            wide = visitor.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            found += [f"{path} {scheme} {locale} {width}: wider than the screen"] if wide else []
            for rule in Axe().run(visitor.page, options=RULES).response["violations"]:
                found.append(f"{path} {scheme} {locale} {width}: {rule['id']} {[node['html'][:90] for node in rule['nodes']][:2]}")
        visitor.close()
    assert not found, "\n".join(found)


@test
def a_link_to_a_search(registry, browser):
    """A link shows one search live to a stranger, also after a reload, until it is revoked, has ended or the search is over."""
    owner, bike, report = missing_bike(registry)
    path = f"/v1/bikes/{bike['id']}/shares"
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    page.locator("summary", has_text="Share this search").click()
    page.get_by_role("button", name="Make a link").click()
    page.get_by_label("Who is it for?").fill("Police")
    page.get_by_role("dialog").get_by_role("button", name="Make a link").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    link = page.get_by_text("/share#fmb_share_").inner_text()
    assert re.fullmatch(re.escape(registry.url) + r"/share#fmb_share_[\w-]{43}", link), link
    expect(page.get_by_text("not opened yet")).to_be_visible()

    stranger = Visitor(browser, registry)
    stranger.allowed.append("status of 401|status of 410")
    seen = stranger.page
    seen.goto(link)
    rows = seen.locator(".trail > li")
    expect(seen.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    expect(rows).to_have_count(1)
    expect(seen.locator(".latest-place")).to_have_text("Parkhaus Mitte")
    expect(seen.locator(".live.on")).to_be_visible()
    registry.hear(2, bike, 2, 0, ended=False)
    expect(rows).to_have_count(2)
    expect(seen.locator(".latest-place")).to_have_text("Tankstelle Ost")
    expect(seen.get_by_role("button", name="Not my bike")).to_have_count(0)
    seen.reload()
    expect(rows).to_have_count(2)
    storage = seen.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")
    assert "fmb_" not in storage and not stranger.context.cookies(), storage

    page.reload()
    expect(page.get_by_text("opened 2 times")).to_be_visible()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("button", name="Revoke")).to_have_count(0)
    expect(seen.get_by_text("This link does not work")).to_be_visible(timeout=60_000)

    share = registry.call("POST", path, {}, owner["token"])
    seen.goto(share["link"])
    expect(rows).to_have_count(2)
    with sqlite3.connect(registry.folder / "registry.sqlite") as database:
        database.execute("UPDATE share SET ends = ?", (int(time.time() * 1000) - 1000,))
    database.close()
    expect(seen.get_by_text("This link has ended")).to_be_visible(timeout=60_000)

    share = registry.call("POST", path, {}, owner["token"])
    seen.goto(share["link"])
    expect(rows).to_have_count(2)
    closure = f"/v1/bikes/{bike['id']}/reports/{report['id']}/closure"
    registry.call("POST", closure, {"outcome": "recovered"}, owner["token"])
    expect(seen.get_by_role("heading", name="The bike is back")).to_be_visible(timeout=60_000)
    expect(seen.get_by_text("The search is over")).to_be_visible()
    assert "Tankstelle" not in seen.content()
    seen.goto(f"{registry.url}/share")
    expect(seen.get_by_text("This link does not work")).to_be_visible()
    stranger.close()
    visitor.close()


@test
def a_link_for_everybody(registry, browser):
    """The page of a link breaks no rule of WCAG 2.2 AA, in light and dark, in English and German, and shows the photo."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(1, bike, 50, 40)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    visitor.page.locator("input[type=file]").set_input_files(picture(visitor.page))
    stored(visitor.page)
    visitor.close()
    link = registry.call("POST", f"/v1/bikes/{bike['id']}/shares", {}, owner["token"])["link"]
    looks = [("light", "en-GB", 390), ("dark", "de-DE", 1280), ("light", "de-DE", 1280), ("dark", "en-GB", 390)]
    found = []
    for scheme, locale, width in some(looks):
        stranger = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                           viewport={"width": width, "height": 844}, reduced_motion="reduce")
        stranger.allowed.append("status of 401")
        for address in (link, f"{registry.url}/share#fmb_share_{'A' * 43}"):
            stranger.page.goto(address)
            if address == link:
                expect(stranger.page.locator(".trail > li")).to_have_count(2)
                stranger.page.wait_for_function("() => document.querySelector('.photos img')?.naturalWidth > 0")
            else:
                expect(stranger.page.locator("main")).to_contain_text(re.compile("does not work|gilt nicht"))
            wide = stranger.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            found += [f"{address} {scheme} {locale} {width}: wider than the screen"] if wide else []
            for rule in Axe().run(stranger.page).response["violations"]:
                found.append(f"{scheme} {locale} {width}: {rule['id']} {[node['html'][:90] for node in rule['nodes']][:2]}")
        stranger.close()
    assert not found, "\n".join(found)


@test
def sharing_a_bike(registry, browser):
    """An invited person joins by the link, sees the live trail and only what the role allows, until they are removed."""
    owner, bike, _ = missing_bike(registry)
    path = f"/my/bikes/{bike['id']}"
    host = Visitor(browser, registry)
    host.sign_in(owner["token"])
    host.open(path)
    host.page.get_by_text("Family and friends (0)").click()
    host.page.get_by_role("button", name="Invite somebody").click()
    host.page.get_by_label("Name").fill("Anna")
    host.page.get_by_role("button", name="Make a link").click()
    link = host.page.locator(".copy .mono", has_text="/join#").inner_text()
    assert link.startswith(f"{registry.url}/join#fmb_join_"), link
    guest = Visitor(browser, registry)
    guest.add_authenticator()
    page = guest.page
    page.goto(link)
    expect(page.get_by_text("create an account to see which bike it is")).to_be_visible()
    page.get_by_role("link", name="Create an account").click()
    page.get_by_role("button", name="Create a passkey").click()
    page.get_by_role("link", name="I have kept my codes").click()
    expect(page.get_by_text("You are invited as “Anna”")).to_be_visible()
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("Shared with you", exact=True)).to_be_visible()
    # It stands with the sightings, which are shown from the first one on.
    expect(page.locator(".live.on")).to_have_count(1)
    registry.hear(0, bike, 30, 20)
    expect(page.locator(".latest-place")).to_have_text("Parkhaus Mitte")
    storage = page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert "fmb_" not in storage and "fmb_" not in page.url, (storage, page.url)
    for name in ("Delete this bike", "Police reference", "End the search…", "Not my bike", "I have read this", "Add a photo",
                 "Invite somebody"):
        assert page.get_by_role("button", name=name).count() == 0, name
    guest.allowed.append("status of 40[34]")
    answer = guest.context.request.delete(f"{registry.url}/v1/bikes/{bike['id']}", headers={
        "Origin": registry.url, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json", "If-Match": "*"})
    assert answer.status == 403, answer.text()
    guest.open("/my")
    expect(page.get_by_text("Shared with you", exact=True)).to_be_visible()
    host.open(path)
    host.page.get_by_text("Family and friends (1)").click()
    with host.page.expect_response(lambda answer: answer.url.endswith("/role")):
        host.page.get_by_label("Role of Anna").select_option("report")
    guest.open(path)
    expect(page.get_by_role("button", name="End the search…")).to_be_visible()
    host.page.get_by_role("button", name="Remove Anna").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(host.page.get_by_role("button", name="Remove Anna")).to_have_count(0)
    page.goto(registry.url + path)
    expect(page.get_by_text("not yours")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("alert")).to_contain_text("Ask for a new one")
    host.close()
    guest.close()


@test
def sharing_for_everybody(registry, browser):
    """The parts about sharing break no rule of WCAG 2.2 AA, in light and dark, in English and German."""
    owner, bike, _ = missing_bike(registry)
    friend = registry.owner()
    base = f"/v1/bikes/{bike['id']}/invitations"
    made = [registry.call("POST", base, {"role": role, "label": label}, owner["token"])
            for role, label in (("see", "Anna"), ("manage", "Ben"), ("report", "Carla"))]
    registry.call("POST", "/v1/memberships", {"invitation": made[0]["secret"]}, friend["token"])
    found = []
    for scheme, locale, width in some([("light", "en-GB", 390), ("dark", "de-DE", 1280), ("dark", "en-GB", 390)]):
        visitors = []
        for token, paths in ((owner["token"], [f"/my/bikes/{bike['id']}"]),
                             (friend["token"], ["/my", f"/my/bikes/{bike['id']}", f"/join#{made[2]['secret']}", "/join"])):
            visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                              viewport={"width": width, "height": 844}, reduced_motion="reduce")
            visitor.allowed.append("status of 409|status of 40[34]")
            visitors.append(visitor)
            visitor.open("/join#fmb_join_")
            found += broken_rules(visitor, f"/join, signed out {scheme} {locale}")
            visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": token}, headers={
                "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
            visitor.page.evaluate("() => localStorage.setItem('signedIn', '1')")
            for path in paths:
                visitor.page.goto("about:blank")
                visitor.open(path)
                visitor.page.evaluate("() => document.querySelectorAll('details').forEach((part) => (part.open = true))")
                found += broken_rules(visitor, f"{path} {scheme} {locale} {width}")
        host = visitors[0].page
        host.get_by_role("button", name=re.compile("Invite somebody|Jemanden einladen")).click()
        host.get_by_role("dialog").wait_for()
        found += broken_rules(visitors[0], f"invitation {scheme} {locale} {width}")
        for visitor in visitors:
            visitor.close()
    assert not found, "\n".join(found)


def broken_rules(visitor, name):
    wide = visitor.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    rules = Axe().run(visitor.page).response["violations"]
    return ([f"{name}: wider than the screen"] if wide else []) + [
        f"{name}: {rule['id']} {[node['html'][:90] for node in rule['nodes']][:2]}" for rule in rules]


def what_was_shown(browser):
    """The text of the pages that a failed test has left open, which are closed."""
    lines = []
    for context in browser.contexts:
        for page in context.pages:
            try:
                lines.append(f"{page.url} shows: {page.locator('body').inner_text(timeout=5000)[:600]!r}")
            except PlaywrightError as error:
                lines.append(f"{page.url} cannot be read: {error.message[:200]}")
        context.close()
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="scripts/pages.sh")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", metavar="NAME", help="only the tests whose names contain this")
    parser.add_argument("--half", type=int, choices=(0, 1), help="every second test, from the first or from the second")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER", help="make the documentation’s pictures, and stop")
    options = parser.parse_args()
    if options.only and not any(options.only in function.__name__ for function in TESTS):
        parser.error(f"no test has a name that contains ‘{options.only}’")
    failures = {}
    # Patient, because the machine may have other work; no test measures time by this.
    expect.set_options(timeout=20_000)
    with tempfile.TemporaryDirectory(prefix="findmybike-pages-") as folder, sync_playwright() as playwright:
        registry = Registry(options.programs, folder)
        # Chromium's own sandbox needs rights that root in a container does not have.
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        if options.pictures:
            pictures.take(registry, browser, options.pictures)
        tests = TESTS if options.half is None else TESTS[options.half::2]
        for function in tests if not options.pictures else []:
            if options.only and options.only not in function.__name__:
                continue
            began, result = time.monotonic(), "passed"
            try:
                registry.enrol_stations()
                function(registry, browser)
            except Exception:  # each failure is shown, and the other tests run
                failures[function.__name__] = traceback.format_exc() + what_was_shown(browser)
                result = "FAILED"
            print(f"{result} {time.monotonic() - began:4.0f} s  {function.__name__}: {function.__doc__}", flush=True)
        browser.close()
        registry.stop()
    # At the end, where whoever sees only the last lines finds them.
    for name, failure in failures.items():
        print(f"\n{name}:\n{failure}")
    print(f"{len(failures)} failed: {', '.join(failures)}" if failures else "All passed.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
