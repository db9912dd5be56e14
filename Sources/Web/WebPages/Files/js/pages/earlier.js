import {all} from "../api.js";
import {fill, h} from "../dom.js";
import {capital, moment} from "../format.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";
import {TrailList} from "../trail/list.js";

/**
 * The searches for a bike that are over, the latest first; null if there are none.
 *
 * @param {string} bike
 */
export async function earlier(bike) {
  const reports = await all(`/v1/bikes/${bike}/reports?limit=100`).catch(() => []);
  const closed = reports.filter((report) => report.closed).sort((a, b) => b.closed.localeCompare(a.closed));
  if (!closed.length) return null;
  return h(
      "section", {class: "stack"}, h("h2", {}, t.earlier.title),
      h("ul", {class: "plain-list"}, closed.map((report) => h("li", {}, row(bike, report)))));
}

/**
 * @param {string} bike
 * @param {any} report
 */
function row(bike, report) {
  const base = `/v1/bikes/${bike}/reports/${report.id}`;
  const place = h("div", {class: "stack"});
  const outcome = t.earlier.outcomes[/** @type {keyof typeof t.earlier.outcomes} */ (report.closure?.outcome)];
  const details =
      h("details", {
        class: "card",
        ontoggle: () => {
          if (details.open && !place.querySelector(".tiles")) attempt(place, () => show(place, base, bike, report));
        }
      },
        h("summary", {},
          h("span", {}, outcome ?? t.trail.closed, h("br"),
            h("span", {class: "small soft"}, capital(t.span(moment(report.missingSince), moment(report.closed)))))),
        place);
  return details;
}

/**
 * @param {HTMLElement} place
 * @param {string} base
 * @param {string} bike
 * @param {any} report
 */
async function show(place, base, bike, report) {
  const sightings = await all(`${base}/sightings?limit=100`);
  const list = new TrailList({isOver: true});
  list.draw(sightings);
  fill(
      place, sightings.length ? list.element : h("p", {class: "soft"}, t.earlier.nothing),
      h("div", {class: "tiles"},
        h("a", {class: "button", href: `/my/bikes/${bike}/letter?report=${report.id}`}, t.trail.letter),
        h("a", {class: "button", href: `${base}/evidence`, download: ""}, t.trail.evidence)));
}
