"""Tests of what each page costs and how it is laid out."""

from stage import Visitor, missing_bike, test

# Links inside of a sentence may be smaller (WCAG 2.2, success criterion 2.5.8).
SMALL = """() => [...document.querySelectorAll("button, a.button, summary, .top a, .choices label, select, input:not([type=file])")]
    .filter((element) => element.checkVisibility() && !element.closest(".choices label input, .leaflet-control"))
    .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
    .filter(([html, box]) => box.width > 1 && (html.startsWith("<input type=\\"checkbox")
        ? box.height < 20 : box.height < 43.9 || box.width < 24))
    .map(([html, box]) => `${html} ${box.width} × ${box.height}`)"""
SHIFTS = """() => { window.shifts = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true }); }"""


@test
def first_visits(registry, browser):
    """A first visit receives at most 36 kB, and 90 kB with the map; nothing moves, and targets are large enough."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(1, bike, 50, 40)
    registry.hear(0, bike, 30, 20)
    found = []
    for path, most in (("/", 36), ("/about", 36), ("/sign-in", 36), ("/sign-up", 36), ("/my", 36), ("/my/new-bike", 36),
                       ("/my/account", 36), (f"/my/bikes/{bike['id']}/letter", 36), (f"/my/bikes/{bike['id']}", 90)):
        for locale in ("en-GB", "de-DE"):
            visitor = Visitor(browser, registry, service_workers="block", locale=locale)
            visitor.allowed.append("Service Worker registration blocked")
            visitor.context.add_init_script(f"({SHIFTS})()")
            if path.startswith("/my"):
                visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": owner["token"]}, headers={
                    "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
                visitor.context.add_init_script("localStorage.setItem('signedIn', '1')")
            sizes, asked = [], []
            network = visitor.context.new_cdp_session(visitor.page)
            network.send("Network.enable")
            network.on("Network.dataReceived", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"]))
            visitor.page.on("request", lambda request, asked=asked: asked.append(request.url))
            visitor.open(path)
            visitor.page.wait_for_load_state("load")
            visitor.page.wait_for_timeout(500)
            found += [f"{path}: {url} is asked for twice" for url in set(asked) if "/v1/" in url and asked.count(url) > 1]
            shifts = visitor.page.evaluate("() => window.shifts")
            print(f"    {path[:9]} {locale}: {sum(sizes) / 1000:.1f} kB, layout shift {shifts:.3f}")
            found += [f"{path}: {sum(sizes)} bytes"] if sum(sizes) > most * 1000 else []
            found += [f"{path}: layout shift {shifts}"] if shifts > 0.02 else []
            found += [f"{path} {locale}: {target}" for target in visitor.page.evaluate(SMALL)]
            visitor.close()
    assert not found, "\n".join(found)
