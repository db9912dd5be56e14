"""Buyers: they check a number without an account and without JavaScript, and leave word for the owner."""

import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from stage import Visitor, instant, some, test

RULES = {"rules": {"target-size": {"enabled": True}}}


def missing_with_number(registry, number):
    """An owner whose bike with this number has been missing for an hour, and may be checked."""
    owner = registry.owner()
    bike = registry.bike(owner["token"], serial=number, buyerCheck=True)
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))
    return owner, bike


@test
def a_buyer_checks_a_number_and_leaves_word(registry, browser):
    """An owner allows the check on the bike's form; a buyer without JavaScript checks and writes; the owner reads it."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 422")
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}/edit")
    page.get_by_text("Frame number and more").click()
    page.get_by_label("Frame number", exact=True).fill("0000")
    page.get_by_label("Buyers may check the frame number and the VIN").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("This needs a frame number or a VIN")).to_be_visible()
    page.get_by_label("Frame number", exact=True).fill("WTU 123 buy")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Saved")
    page.get_by_role("link", name="Back").click()
    page.get_by_text("Details", exact=True).click()
    expect(page.get_by_text("Possible while the bike is missing")).to_be_visible()
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))

    buyer = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=Visitor.PHONE)
    check = buyer.new_page()
    check.goto(f"{registry.url}/found")
    check.get_by_role("link", name="Buying a used bike?").click()
    expect(check.get_by_role("heading", level=1)).to_have_text("Check before you buy")
    check.get_by_label("Serial or frame number").fill("WTU 123 BUY 9")
    check.get_by_role("button", name="Check").click()
    expect(check.get_by_text("This proves nothing.")).to_be_visible()
    # Neither a warning nor a good sign.
    expect(check.locator("main .notice")).to_have_class("notice")
    expect(check.locator(".sign")).to_have_count(0)
    check.get_by_role("link", name="Check another number").click()
    check.get_by_label("Serial or frame number").fill("wtu-I23-buy")
    check.get_by_role("button", name="Check").click()
    expect(check.get_by_role("heading", level=1)).to_have_text("Perhaps reported as missing")
    expect(check.get_by_text("Character 4: you entered I (the letter)")).to_be_visible()
    expect(check.locator(".notice.warn .sign")).to_have_text("?")
    check.get_by_role("button", name="Check WTU123BUY").click()
    expect(check.get_by_text("A bike with this number has been reported as missing here.")).to_be_visible()
    expect(check.locator(".notice.bad .sign")).to_have_text("!")
    for secret in (owner["owner"]["id"], bike["id"], "Brompton"):
        assert secret not in check.content(), secret
    check.get_by_label("Your message").fill("Offered to me <b>at the market</b>.")
    check.get_by_role("button", name="Send").click()
    expect(check.get_by_text("sees that you checked its number")).to_be_visible()
    expect(check.get_by_text("Offered to me <b>at the market</b>.")).to_be_visible()
    buyer.close()

    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("checked its number before buying").click()
    expect(page.get_by_text("Offered to me <b>at the market</b>.", exact=True).last).to_be_visible()
    visitor.open(f"/my/bikes/{bike['id']}/edit")
    page.get_by_text("Frame number and more").click()
    page.get_by_label("Buyers may check the frame number and the VIN").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Saved")
    assert "buyerCheck" not in registry.call("GET", f"/v1/bikes/{bike['id']}", None, owner["token"])
    visitor.close()


@test
def buyers_for_everybody(registry, browser):
    """The buyers' pages break no rule of WCAG 2.2 AA, in light and dark, in English and German, are small, and no policy
    is broken."""
    broken = []
    modes = some((("light", "en-GB", 390), ("dark", "de-DE", 1440), ("light", "de-DE", 320), ("dark", "en-GB", 390)))
    for place, (scheme, locale, width) in enumerate(modes):
        # A number of its own, since three messages about one are accepted from a network in a day.
        number = f"WTU 124 buy {place}"
        for _ in range(2):
            missing_with_number(registry, number)
        visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                          viewport={"width": width, "height": 844})
        visitor.allowed.append("status of 422")
        page = visitor.page
        transferred = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event, sizes=transferred: sizes.append(event["encodedDataLength"]))

        def check(name, page=page, mode=f"{scheme} {locale} {width}"):
            wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            rules = [rule["id"] for rule in Axe().run(page, options=RULES).response["violations"]]
            if wide or rules:
                broken.append(f"{name} {mode}: {rules} {'wide' if wide else ''}")

        visitor.open("/check")
        page.wait_for_load_state("networkidle")
        assert sum(transferred) <= 15_000, transferred
        check("form")
        for text, place in (("0000", ".fault"), ("NOSUCH 1", ".notice"),
                            (number.replace("124", "I24"), "form button"), (number, "textarea")):
            visitor.open("/check")
            page.locator("input[name=number]").fill(text)
            page.locator("form button.primary").click()
            page.wait_for_selector(place)
            check(text)
        page.locator("textarea").fill("Hier!")
        page.locator("form button.primary").click()
        page.wait_for_selector("a.button")
        assert page.locator("a.button").count() == 2
        check("sent")
        visitor.close()
    assert not broken, "\n".join(broken)
