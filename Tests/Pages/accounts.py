"""Tests of accounts: recovery codes, removals, and a browser that several owners use."""

import re

from playwright.sync_api import expect
from stage import Visitor, test

# A browser's push service in a few lines: real ones need the network.
PUSH = """() => {
    let count = Number(sessionStorage.getItem("push") ?? 0);
    const keys = { p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg" };
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const made = () => count > 0 && count % 2 === 1 ? {
        endpoint: `https://push.example.org/${count}`,
        options: { applicationServerKey: bytes(sessionStorage.getItem("push-key")).buffer },
        toJSON: () => ({ endpoint: `https://push.example.org/${count}`, keys }),
        unsubscribe: async () => { sessionStorage.setItem("push", ++count); return true; },
    } : null;
    PushManager.prototype.getSubscription = async () => made();
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (!/^B[\\w-]{86}$/.test(applicationServerKey)) throw new Error("no key");
        if (!made()) {
            sessionStorage.setItem("push", ++count);
            sessionStorage.setItem("push-key", applicationServerKey);
        }
        return made();
    };
}"""


@test
def keeping_recovery_codes(registry, browser):
    """Recovery codes are copied, printed or saved, and neither a link, Back nor a reload loses them without a warning."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.add_authenticator()
    visitor.open("/")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_role("button", name="Create a passkey").click()
    codes = page.locator(".codes li")
    expect(codes).to_have_count(10)
    first = codes.first.inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    assert first in download.value.path().read_text("utf-8")
    expect(page.get_by_role("button", name="Copy all")).to_be_visible()
    page.emulate_media(media="print")
    expect(codes.first).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("link", name="FindMyBike").click()
    page.get_by_role("dialog", name="Have you kept your codes?").get_by_role("button", name="Cancel").click()
    page.evaluate("() => history.back()")
    page.get_by_role("dialog", name="Have you kept your codes?").get_by_role("button", name="Cancel").click()
    expect(codes.first).to_have_text(first)
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.evaluate("() => { setTimeout(() => location.reload()); }")
    page.wait_for_timeout(500)
    assert asked == ["beforeunload"], asked
    expect(codes.first).to_have_text(first)
    page.get_by_role("link", name="I have kept my codes").click()
    expect(page.get_by_role("heading", name="My bikes")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="My bikes")).to_be_visible()
    visitor.close()


@test
def removing_with_a_question(registry, browser):
    """Channels, tokens, sessions and old recovery codes are removed only after a question that begins at Cancel."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    codes = visitor.sign_up()
    visitor.allowed.append("status of 403")
    # In an account without a bike, new codes need no old one.
    visitor.send("POST", "/v1/bikes", {"kind": "bicycle", "make": "Brompton", "model": "C Line", "colours": ["green"]})
    visitor.send("POST", "/v1/channels", {"kind": "ntfy", "url": "https://ntfy.example.org/bikes"})
    visitor.send("POST", "/v1/owner/tokens", {"name": "laptop", "scope": "read"})
    visitor.open("/my/account")
    page.get_by_role("button", name="Remove: ntfy: https://ntfy.example.org/bikes").click()
    answer(page, "No more alerts to", "Remove")
    expect(page.get_by_role("heading", name="Alerts")).to_be_focused()
    assert visitor.send("GET", "/v1/channels")["items"] == []
    page.get_by_text("Tokens (1)").click()
    page.get_by_role("button", name="Remove: laptop").click()
    answer(page, "Remove the token", "Remove")
    expect(page.get_by_text("Tokens (0)")).to_be_focused()
    page.get_by_text("Recovery codes", exact=True).click()
    page.get_by_role("button", name="Make new codes").click()
    leave(page, "Make new recovery codes?").get_by_role("button", name="Make new codes").click()
    page.get_by_role("textbox", name="Recovery code").fill(codes[0])
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="My bikes").click()
    page.get_by_role("dialog", name="Have you kept your codes?").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="I have kept my codes").click()
    expect(page.get_by_text("10 left")).to_be_visible()
    visitor.close()


def leave(page, title):
    """Leaves the thing by Escape, opens the question again, and returns its dialog."""
    dialog = page.get_by_role("dialog", name=re.compile(re.escape(title)))
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("Enter")
    return dialog


def answer(page, title, submit):
    dialog = leave(page, title)
    dialog.get_by_role("button", name=submit, exact=True).click()
    expect(dialog).to_have_count(0)


@test
def one_browser_two_owners(registry, browser):
    """Neither Back nor another window shows a former owner's data, and the next owner ends the former session."""
    first, second = registry.owner(), registry.owner()
    bike = registry.bike(first["token"])
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 40[14]")
    page = visitor.page
    visitor.sign_in(first["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    window = visitor.context.new_page()
    window.goto(f"{registry.url}/my/bikes/{bike['id']}")
    expect(window.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert "Brompton" not in page.inner_text("body"), "a page that is put away still shows the bike"
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    former = [cookie for cookie in visitor.context.cookies() if cookie["name"] == "__Host-session"]
    visitor.sign_in(second["token"])
    expect(window.get_by_text("This page does not exist")).to_be_visible()
    page.go_back()
    page.go_back()
    page.wait_for_timeout(500)
    assert "Brompton" not in page.inner_text("body")
    other = browser.new_context()
    other.add_cookies(former)
    assert other.request.get(f"{registry.url}/v1/owner").status == 401
    other.close()
    visitor.open("/my/account")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Create an account")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/sign-in**")
    visitor.close()


@test
def messages_in_a_shared_browser(registry, browser):
    """Signing out ends messages on this device, and the next owner never gets the former owner's subscription."""
    visitor = Visitor(browser, registry, permissions=["notifications"])
    visitor.context.add_init_script(f"({PUSH})()")
    page = visitor.page
    visitor.sign_up()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    turn_on(visitor)
    assert urls(visitor) == ["https://push.example.org/1"]
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Create an account")).to_be_visible()
    assert page.evaluate("() => sessionStorage.getItem('push')") == "2", "the browser is still subscribed"
    visitor.open("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/my")
    assert urls(visitor) == [], "the channel was not removed"
    turn_on(visitor)
    assert urls(visitor) == ["https://push.example.org/3"]
    # The next owner signs in without the former one signing out.
    visitor.sign_in(registry.owner()["token"])
    visitor.open("/my/account")
    assert page.evaluate("() => sessionStorage.getItem('push')") == "4", "the former subscription is still there"
    turn_on(visitor)
    assert urls(visitor) == ["https://push.example.org/5"]
    visitor.close()


@test
def messages_after_a_new_key(registry, browser):
    """A device whose subscription was made with another key than the registry's subscribes again when a page is opened."""
    visitor = Visitor(browser, registry, permissions=["notifications"])
    visitor.context.add_init_script(f"({PUSH})()")
    page = visitor.page
    visitor.sign_up()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    turn_on(visitor)
    assert urls(visitor) == ["https://push.example.org/1"]
    visitor.open("/my/account")
    expect(page.get_by_text("On", exact=True)).to_be_visible()
    assert urls(visitor) == ["https://push.example.org/1"], "the same key is no reason"
    other = "B" + "A" * 86
    page.evaluate("(key) => sessionStorage.setItem('push-key', key)", other)
    visitor.open("/my/account")
    expect(page.get_by_text("On", exact=True)).to_be_visible()
    assert page.evaluate("() => sessionStorage.getItem('push-key')") != other
    assert urls(visitor)[-1:] == ["https://push.example.org/3"], urls(visitor)
    # The list of bikes, which is opened more often, does the same.
    page.evaluate("(key) => sessionStorage.setItem('push-key', key)", other)
    visitor.open("/my")
    page.wait_for_function("(key) => sessionStorage.getItem('push-key') !== key", arg=other)
    visitor.open("/my/account")
    expect(page.get_by_text("On", exact=True)).to_be_visible()
    assert urls(visitor)[-1:] == ["https://push.example.org/5"], urls(visitor)
    visitor.close()


def turn_on(visitor):
    visitor.open("/my/account")
    visitor.page.get_by_role("button", name="Turn on").click()
    expect(visitor.page.get_by_text("On", exact=True)).to_be_visible()


def urls(visitor):
    return [channel["url"] for channel in visitor.send("GET", "/v1/channels")["items"]]


@test
def kinds_of_channels(registry, browser):
    """The page offers only the kinds of channels that the registry offers."""
    visitor = Visitor(browser, registry, service_workers="block")
    visitor.allowed.append("Service Worker registration blocked")
    page = visitor.page
    visitor.sign_in(registry.owner()["token"])
    visitor.open("/my/account")
    expect(page.get_by_role("button", name="Add an e-mail address")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on messages")).to_be_visible()
    page.route("**/v1/owner", lambda route: route.fulfill(json=route.fetch().json() | {"channelKinds": ["ntfy"]}))
    page.reload()
    expect(page.get_by_text("add channels with the findmybike command")).to_be_visible()
    expect(page.get_by_role("button", name="Add an e-mail address")).to_have_count(0)
    expect(page.get_by_role("button", name="Turn on messages")).to_have_count(0)
    visitor.close()
