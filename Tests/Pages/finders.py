"""Finders: they write without an account and without JavaScript, and the owner answers on the bike's page."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from stage import Visitor, missing_bike, some, test

RULES = {"rules": {"target-size": {"enabled": True}}}


def sticker(registry, owner, bike):
    return registry.call("PUT", f"/v1/bikes/{bike['id']}/sticker", {}, owner["token"])


@test
def a_finder_writes_and_the_owner_answers(registry, browser):
    """A finder without JavaScript writes by the sticker; the owner answers; neither sees an address."""
    owner, bike, _ = missing_bike(registry)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    link = sticker(registry, owner, bike)["link"]

    finder = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=Visitor.PHONE)
    found = finder.new_page()
    found.goto(link)
    expect(found.get_by_role("heading", level=1)).to_have_text("Found a bike?")
    found.get_by_label("Your message").fill("It stands <b>behind</b> the station.\nCall me? No: write here.")
    found.get_by_role("button", name="Send").click()
    expect(found.get_by_text("Your message has been sent.")).to_be_visible()
    expect(found.get_by_text("It stands <b>behind</b> the station.")).to_be_visible()

    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_text("Messages from finders and buyers (1)")).to_be_visible()
    page.get_by_text("via the sticker").click()
    expect(page.get_by_text("Call me? No: write here.", exact=True)).to_be_visible()
    page.get_by_label("Your answer").fill("Thank you! <i>On my way.</i>")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you! <i>On my way.</i>", exact=True)).to_be_visible()
    expect(page.get_by_text("Messages from finders and buyers", exact=True)).to_be_visible()

    found.get_by_role("button", name="Check for an answer").click()
    expect(found.get_by_text("Thank you! <i>On my way.</i>")).to_be_visible()
    seen = found.content()
    for secret in (owner["owner"]["id"], bike["id"], "127.0.0.1", "Brompton"):
        assert secret not in seen, secret
    assert "127.0.0.1" not in page.content()
    found.get_by_label("Your message").fill("Good luck!")
    found.get_by_role("button", name="Send").click()
    expect(found.get_by_text("Good luck!")).to_be_visible()
    found.get_by_text("End or report the conversation").click()
    found.get_by_role("button", name="End the conversation").click()
    expect(found.get_by_text("The conversation has ended.")).to_be_visible()
    finder.close()
    visitor.close()


@test
def every_code_has_the_same_page(registry, browser):
    """A known and an unknown code lead to the same pages, which are at most 15 kB with their style sheet."""
    owner, bike, _ = missing_bike(registry)
    known = sticker(registry, owner, bike)["code"]
    registry.call("DELETE", f"/v1/bikes/{bike['id']}/sticker", None, owner["token"])
    revoked = known
    known = sticker(registry, owner, bike)["code"]
    pages = []
    for code in (known, revoked):
        finder = browser.new_context(java_script_enabled=False)
        page = finder.new_page()
        transferred = []
        session = finder.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event, sizes=transferred: sizes.append(event["encodedDataLength"]))
        page.goto(f"{registry.url}/found/{code}")
        page.wait_for_load_state("networkidle")
        assert sum(transferred) <= 15_000, transferred
        texts = [page.content()]
        page.get_by_role("textbox").fill("Here it is.")
        page.get_by_role("button", name="Send").click()
        texts.append(page.content())
        pages.append([re.sub(r"[\w-]{43}|\d\d:\d\d|\d\d:\d\d:\d\d\S*Z|datetime=\S+", "", text).replace(code, "")
                      for text in texts])
        finder.close()
    assert pages[0] == pages[1]


@test
def finders_for_everybody(registry, browser):
    """The finder's pages break no rule of WCAG 2.2 AA, in light and dark, in English and German, and no policy."""
    owner, bike, _ = missing_bike(registry)
    code = sticker(registry, owner, bike)["code"]
    identity = bike["identity"]
    beacon = f"uuid={identity['uuid']}&major={identity['major']}&minor={identity['minor']}"
    wrong = code[:-1] + ("2" if code[-1] != "2" else "3")
    broken = []
    looks = some([("light", "en-GB", 390), ("dark", "de-DE", 1280), ("light", "de-DE", 390)])
    for scheme, locale, width in looks:
        visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                          viewport={"width": width, "height": 844})
        visitor.allowed.append("status of 404")
        page = visitor.page

        def check(name, visitor=visitor, page=page, mode=f"{scheme} {locale} {width}"):
            wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            rules = [rule["id"] for rule in Axe().run(page, options=RULES).response["violations"]]
            if wide or rules:
                broken.append(f"{name} {mode}: {rules} {'wide' if wide else ''}")

        for path in ("/found", f"/found/{code}", f"/found/{wrong}", f"/found?{beacon}", "/messages/x"):
            visitor.open(path)
            check(path)
        visitor.open(f"/found?{beacon}")
        page.locator("textarea").fill("Hier!")
        page.locator("form button.primary").click()
        page.wait_for_selector("ol li")
        check("sent")
        secret = page.url.rpartition("/")[2]
        base = f"/v1/bikes/{bike['id']}/conversations"
        newest = max(registry.call("GET", base, None, owner["token"])["items"], key=lambda item: item["began"])
        registry.call("POST", f"{base}/{newest['id']}/answers", {"text": "Danke!"}, owner["token"])
        visitor.open(f"/messages/{secret}")
        page.locator("summary").click()
        check("conversation")
        page.locator("button[value=report]").click()
        page.wait_for_selector(".notice")
        check("ended")
        visitor.close()
    reported = registry.call("GET", "/v1/reported-conversations", None, registry.operator)["items"]
    assert len(reported) >= len(looks)
    assert not broken, "\n".join(broken)


@test
def another_site_cannot_write(registry, browser):
    """A form that another site sends by itself stores nothing, and a conversation is never begun with its secret."""
    owner, bike, _ = missing_bike(registry)
    code = sticker(registry, owner, bike)["code"]
    key = "A" * 43
    visitor = browser.new_context(locale="en-GB")
    page = visitor.new_page()
    page.route("http://evil.test/**", lambda route: route.fulfill(content_type="text/html", body=f"""
        <form method="post" action="{registry.url}/found">
        <input name="code" value="{code}"><input name="key" value="{key}"><input name="message" value="Planted">
        </form><script>document.forms[0].submit()</script>"""))
    page.goto("http://evil.test/")
    page.wait_for_url(f"{registry.url}/found")
    expect(page.get_by_text("Another website sent this form")).to_be_visible()
    assert key not in page.content()
    page.goto(f"{registry.url}/messages/{key}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This link does not work")
    conversations = registry.call("GET", f"/v1/bikes/{bike['id']}/conversations", None, owner["token"])["items"]
    assert conversations == [], conversations
    visitor.close()


@test
def whoever_is_threatened_can_report(registry, browser):
    """Owner and finder can report a conversation that the other has ended; the owner's list shows who waits."""
    owner, bike, _ = missing_bike(registry)
    code = sticker(registry, owner, bike)["code"]
    finder = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=Visitor.PHONE)
    found = finder.new_page()
    found.goto(f"{registry.url}/found/{code}")
    found.get_by_label("Your message").fill("Pay, or else.")
    found.get_by_role("button", name="Send").click()
    visitor = Visitor(browser, registry, viewport={"width": 320, "height": 800})
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open("/my")
    expect(page.get_by_text("Somebody is waiting for your answer")).to_be_visible()
    base = f"/v1/bikes/{bike['id']}/conversations"
    conversation = registry.call("GET", base, None, owner["token"])["items"][0]["id"]
    registry.call("POST", f"{base}/{conversation}/answers", {"text": "Never come back."}, owner["token"])
    found.reload()
    found.get_by_text("End or report the conversation").click()
    found.get_by_role("button", name="End the conversation").click()
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("Messages from finders and buyers").click()
    page.get_by_text("via the sticker").click()
    expect(page.get_by_role("button", name="Block")).to_be_visible()
    broken = [rule["id"] for rule in Axe().run(page, options=RULES).response["violations"]]
    assert not broken, broken
    page.get_by_role("button", name="Report", exact=True).click()
    page.get_by_label("What should the operator know?").fill("He threatens me.")
    page.get_by_role("dialog").get_by_role("button", name="Report").click()
    expect(page.get_by_text("You have reported this conversation.")).to_be_visible()
    found.reload()
    found.get_by_role("button", name="Report the owner").click()
    expect(found.get_by_text("You have reported the owner.")).to_be_visible()
    reported = registry.call("GET", "/v1/reported-conversations", None, registry.operator)["items"]
    assert conversation in [item["conversation"]["id"] for item in reported]
    finder.close()
    visitor.close()


@test
def a_conversation_is_live(registry, browser):
    """A message appears on the other side by itself; what is being written there stays, and times are those of the place."""
    owner, bike, _ = missing_bike(registry)
    link = sticker(registry, owner, bike)["link"]
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("Messages from finders and buyers").click()
    # Nobody looks as often as a test.
    finder = Visitor(browser, registry, timezone_id="Asia/Tokyo")
    for each in (visitor.page, finder.page):
        each.clock.install()
    found = finder.page
    finder.open(link.removeprefix(registry.url))
    found.get_by_label("Your message").fill("At the fence.")
    found.get_by_role("button", name="Send").click()
    expect(found.get_by_text("At the fence.")).to_be_visible()
    clock = found.evaluate("""() => new Intl.DateTimeFormat(navigator.language, {
        hour: "2-digit", minute: "2-digit", timeZone: "Asia/Tokyo"})
        .format(new Date(document.querySelector("li time").dateTime))""")
    expect(found.locator("li time")).to_contain_text(clock)

    page.clock.run_for(11_000)
    expect(page.get_by_text("Messages from finders and buyers (1)")).to_be_visible()
    page.get_by_text("via the sticker").click()
    page.get_by_label("Your answer").fill("I come at 6.")
    found.get_by_label("Your message").fill("And the lock")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("li li", has_text="I come at 6.")).to_be_visible()
    found.clock.run_for(11_000)
    expect(found.get_by_text("I come at 6.")).to_be_visible()
    expect(found.get_by_role("status").filter(has_text="The owner answered:")).to_be_visible()
    expect(found).to_have_title(re.compile(r"^\(1\) "))
    expect(found.get_by_label("Your message")).to_have_value("And the lock")
    page.get_by_label("Your answer").fill("Half an")
    found.get_by_label("Your message").fill("And the lock is broken.")
    found.get_by_role("button", name="Send").click()
    page.clock.run_for(11_000)
    expect(page.locator("li li", has_text="And the lock is broken.")).to_be_visible()
    expect(page.get_by_label("Your answer")).to_have_value("Half an")
    visitor.close()
    finder.close()


@test
def a_finder_gives_the_place(registry, browser):
    """The place is asked for only after a tap, is seen before it is sent, and the owner opens it on a map."""
    owner, bike, _ = missing_bike(registry)
    link = sticker(registry, owner, bike)["link"]
    finder = Visitor(browser, registry, geolocation={"latitude": 52.516303, "longitude": 13.377704, "accuracy": 11.2},
                     permissions=["geolocation"])
    found = finder.page
    finder.context.add_init_script("""const ask = navigator.geolocation.getCurrentPosition;
        window.asked = 0;
        Geolocation.prototype.getCurrentPosition = function (...all) { window.asked++; return ask.apply(this, all); };""")
    finder.open(link.removeprefix(registry.url))
    assert found.evaluate("() => asked") == 0
    message = found.get_by_label("Your message")
    message.fill("Behind the station")
    for _ in range(2):
        found.get_by_role("button", name="Add where I am").click()
        expect(found.get_by_text("Added to your message.")).to_be_visible()
    assert found.evaluate("() => asked") == 2
    expect(message).to_have_value("Behind the station\nI am here: 52.51630, 13.37770 (± 12 m)")
    message.fill("x" * 490)
    found.get_by_role("button", name="Add where I am").click()
    expect(found.get_by_text("There is no room for it")).to_be_visible()
    message.fill("Behind the station")
    found.get_by_role("button", name="Add where I am").click()
    expect(message).to_have_value(re.compile("I am here"))
    found.get_by_role("button", name="Send").click()
    expect(found.get_by_text("I am here: 52.51630, 13.37770")).to_be_visible()
    finder.close()
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("via the sticker").click()
    expect(page.get_by_role("link", name="52.51630, 13.37770")).to_have_attribute("href", re.compile("52.5163.*13.3777"))
    visitor.close()


@test
def a_sticker_begins_calmly(registry, browser):
    """The section says whether there is a code, and without one it has no red button; replacing asks, with Cancel first."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 404")
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("Messages from finders and buyers").click()
    page.get_by_text("Sticker", exact=True).click()
    expect(page.get_by_role("button", name="Make a code")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke the code")).to_have_count(0)
    page.get_by_role("button", name="Make a code").click()
    expect(page.get_by_text("Write the code down now")).to_be_visible()
    page.get_by_role("button", name="Replace the code").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Revoke the code").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    page.get_by_role("dialog").get_by_role("button", name="Revoke the code").click()
    expect(page.get_by_text("The code no longer works.")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke the code")).to_have_count(0)
    visitor.close()


@test
def a_follower_writes(registry, browser):
    """Somebody with a link to the search writes to the owner, who answers, and whose block and revocation end it."""
    owner, bike, _ = missing_bike(registry)
    made = registry.call("POST", f"/v1/bikes/{bike['id']}/shares", {"label": "Club"}, owner["token"])
    friend = Visitor(browser, registry)
    friend.allowed.append("status of 401|status of 404")
    page = friend.page
    friend.open(made["link"].removeprefix(registry.url))
    page.get_by_text("Write to the owner").click()
    page.get_by_label("Your message").fill("I saw it <b>at the market</b>.")
    page.get_by_role("button", name="Send").dblclick()
    expect(page.get_by_text("Your message has been sent.")).to_be_visible()
    conversation = registry.url + page.get_by_role("link", name="Open the conversation").get_attribute("href")
    base = f"/v1/bikes/{bike['id']}/conversations"
    items = registry.call("GET", base, None, owner["token"])["items"]
    assert [item["origin"] for item in items] == ["share"], items
    registry.call("POST", f"{base}/{items[0]['id']}/answers", {"text": "Thank you!"}, owner["token"])
    page.goto(conversation)
    expect(page.get_by_text("I saw it <b>at the market</b>.")).to_be_visible()
    expect(page.get_by_text("Thank you!")).to_be_visible()
    visitor = Visitor(browser, registry)
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    visitor.page.get_by_text("Messages from finders and buyers").click()
    visitor.page.get_by_text("follows the search by a link").click()
    expect(visitor.page.get_by_text("Somebody with the link ·")).to_be_visible()
    visitor.page.get_by_role("button", name="Block").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Block").click()
    page.reload()
    expect(page.get_by_text("The conversation has ended.")).to_be_visible()
    registry.call("DELETE", f"/v1/bikes/{bike['id']}/shares/{made['details']['id']}", None, owner["token"])
    friend.open(made["link"].removeprefix(registry.url))
    expect(page.get_by_role("heading", level=1)).to_have_text("This link does not work")
    visitor.close()
    friend.close()
