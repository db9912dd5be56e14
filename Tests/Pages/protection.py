"""What protects people whose browser somebody else has, or has had."""

from playwright.sync_api import expect
from stage import Visitor, missing_bike, test


@test
def signed_out_elsewhere(registry, browser):
    """A trail ends within a minute when its session does, by signing out in another tab or from another device."""
    owner, bike, report = missing_bike(registry)
    registry.hear(0, bike, 30, 20)
    for ends in (sign_out_in_another_tab, revoke):
        visitor = Visitor(browser, registry)
        page = visitor.page
        visitor.sign_in(owner["token"])
        visitor.open(f"/my/bikes/{bike['id']}")
        expect(page.locator(".live.on")).to_be_visible()
        visitor.allowed.append("status of 401")
        streams = []
        page.on("requestfinished", lambda request: streams.append(request.headers.get("accept")))
        ends(visitor, owner)
        page.wait_for_url("**/sign-in**", timeout=60_000)
        # The page itself ends the stream at once if another tab tells it.
        assert ends is sign_out_in_another_tab or "text/event-stream" in streams, "the registry ends the stream"
        expect(page.get_by_text("Parkhaus Mitte")).to_have_count(0)
        visitor.close()


def sign_out_in_another_tab(visitor, _):
    tab = visitor.context.new_page()
    tab.goto(f"{visitor.registry.url}/my/account")
    tab.get_by_role("button", name="Sign out").click()
    tab.get_by_role("link", name="Create an account").wait_for()


def revoke(visitor, owner):
    """As ‘findmybike session revoke’ does it."""
    sessions = visitor.registry.call("GET", "/v1/sessions", token=owner["token"])["items"]
    for session in sessions:
        visitor.registry.call("DELETE", f"/v1/sessions/{session['id']}", token=owner["token"])


@test
def another_account_meanwhile(registry, browser):
    """What a page shows or asked for belongs to who is signed in now, also if that changed in another tab meanwhile."""
    owner, other = registry.owner(), registry.owner()
    bike = registry.bike(owner["token"])
    for path in ("/my", f"/my/bikes/{bike['id']}"):
        visitor = Visitor(browser, registry, service_workers="block")
        visitor.allowed.append("Service Worker registration blocked|status of 401")
        visitor.sign_in(owner["token"])
        tab, held = visitor.context.new_page(), []
        tab.route("**/assets/app-*.js", lambda route: held.append(route), times=1)
        with tab.expect_response(lambda response: "/v1/bikes" in response.url):
            tab.goto(registry.url + path, wait_until="commit")
        visitor.open("/my/account")
        visitor.page.get_by_role("button", name="Sign out").click()
        visitor.page.get_by_role("link", name="Create an account").wait_for()
        held.pop().continue_()
        tab.wait_for_url("**/sign-in**")
        assert "Brompton" not in tab.content()
        visitor.close()
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 40[13]")
    visitor.sign_up()
    page = visitor.page
    visitor.open("/my/account")
    page.get_by_text("Recovery codes", exact=True).click()
    page.get_by_role("button", name="Make new codes").click()
    page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    page.locator(".codes").wait_for()
    tab = visitor.context.new_page()
    tab.goto(f"{registry.url}/sign-in")
    tab.get_by_text("Lost your phone? Use a code").click()
    tab.get_by_label("Recovery code").fill(other["token"])
    tab.get_by_role("button", name="Sign in", exact=True).click()
    tab.wait_for_url("**/my")
    page.get_by_role("button", name="I have kept my codes").click()
    page.wait_for_url("**/my")
    visitor.close()


@test
def pages_are_watched(registry, browser):
    """These tests fail if a page logs an error, breaks the content security policy, or leaves the registry."""
    wrong = {
        "policy: script-src": "() => import('https://example.org/script.js').catch(() => {})",
        "policy: style-src": "() => document.body.append(Object.assign(document.createElement('style'), "
                             "{ textContent: 'a { color: red }' }))",
        "policy: require-trusted-types-for": "() => { try { document.body.innerHTML = '<b>'; } catch {} }",
        "policy: connect-src": "() => fetch('https://example.org/').catch(() => {})",
        "error: ": "() => { setTimeout(() => { throw new Error('on purpose'); }); }",
        "console: ": "() => console.error('on purpose')",
    }
    for expected, script in wrong.items():
        visitor = Visitor(browser, registry)
        visitor.open("/")
        visitor.page.evaluate(script)
        for _ in range(40):
            if any(fault.startswith(expected) for fault in visitor.faults):
                break
            visitor.page.wait_for_timeout(250)
        else:
            raise AssertionError(f"{script} is not noticed as ‘{expected}’: {visitor.faults}")
        visitor.faults.clear()
        visitor.close()
