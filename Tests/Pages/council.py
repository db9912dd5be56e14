"""Tests of the page that `findmybike plan` writes for a council."""

import subprocess

from axe_playwright_python.sync_playwright import Axe
from stage import test

# The size of the texts that are drawn, in pixels of the screen.
SIZES = """() => [...document.querySelectorAll("svg text")].filter((text) => text.getBoundingClientRect().width > 0)
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b))"""


@test
def council(registry, browser):
    """A council's page fits a phone and a screen, light and dark; all its texts can be read, and it loads nothing."""
    page_file, stations = registry.folder / "plan.html", registry.folder / "existing.csv"
    stations.write_text("name,latitude,longitude\nLibrary,0.001,0.001\nTown hall,-0.003,0.002\n", encoding="utf-8")
    subprocess.run(
        [registry.programs / "findmybike", "plan", "--synthetic", "river", "--size", "1.5", "--worlds", "19", "--stolen", "20",
         "--budget", "12", "--stations", stations, "--html", page_file], check=True, capture_output=True)
    found = []
    for width in (390, 1280):
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
            page, asked = context.new_page(), []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(page_file.as_uri())
            name = f"{width} px, {scheme}"
            assert len(asked) == 1, f"{name}: {asked}"
            assert page.locator(".pin").count() > 0 and page.locator(".banner").count() == 1
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{name}: wider than the screen")
            if (least := min(page.evaluate(SIZES))) < 10:
                found.append(f"{name}: a text of {least:.1f} px")
            found += [f"{name}: {rule['id']} {[node['html'][:90] for node in rule['nodes']][:3]}"
                      for rule in Axe().run(page).response["violations"]]
            context.close()
    assert not found, "\n".join(found)
