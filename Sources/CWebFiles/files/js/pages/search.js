import {all, call, create} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, moment} from "../format.js";
import {alertsOff, ask, labelled, may, values} from "../parts.js";
import {t} from "../text.js";
import {trailList} from "../trail/list.js";
import {follow} from "../trail/live.js";
import {TrailMap} from "../trail/map.js";
import {believable} from "../trail/stays.js";

import {position} from "./gone.js";

/**
 * @typedef {import("../parts.js").Bike} Bike
 * @typedef {import("../trail/stays.js").Sighting} Sighting
 */

/**
 * A running search: the latest place, the map, the list, and what the owner can do.
 *
 * @param {Bike} bike
 * @param {string} id
 */
export async function search(bike, id) {
  const base = `/v1/bikes/${bike.id}/reports/${id}`;
  const path = `${base}/sightings`;
  const report = await call("GET", base);
  const off = alertsOff(await all("/v1/channels?limit=100").catch(() => []));
  const map = await TrailMap.make();
  const [headline, list] = [h("div", {class: "stack", "aria-live": "polite"}), h("div", {})];
  const state = h("span", {class: "live"}, t.trail.connecting);
  /** @type {Sighting[]} */
  let sightings = [];
  /** @type {{latitude: number, longitude: number} | null} */
  let self = null;
  const draw = () => {
    const latest = believable(sightings)[0];
    map.element.hidden = sightings.length === 0;
    fill(headline, ...(latest ? latestPlace(latest) : [h("p", {class: "lead"}, t.trail.none)]));
    fill(list, trailList(sightings, path, self, may(bike, "report")));
    if (map.map) map.draw(sightings);
  };
  const whereAmI =
      h("button", {
        onclick: async () => {
          self = await position().catch(() => null);
          if (self) {
            map.showSelf(self);
            draw();
          }
        }
      },
        t.trail.whereAmI);
  const end = await follow(
      path,
      (changed) => {
        sightings = changed;
        draw();
      },
      (isLive) => {
        state.classList.toggle("on", isLive);
        fill(state, isLive ? t.trail.live : t.trail.connecting);
      });
  requestAnimationFrame(() => {
    map.start();
    draw();
  });
  const parts = [
    ...(off ? [off] : []),
    h("div", {class: "stack"}, headline,
      h("p", {class: "small soft"}, t.trail.missingSince(moment(report.missingSince))),
      report.openedBy && h("p", {class: "small soft"}, t.trail.openedBy(report.openedBy))),
    map.element,
    h("div", {class: "row between"}, h("div", {class: "row"}, h("h2", {}, t.trail.title), state), whereAmI),
    list,
    h("p", {class: "notice warn"}, t.trail.advice),
    acts(bike, base, report),
  ];
  return {
    parts,
    leave: () => {
      end();
      map.stop();
    }
  };
}

/** @param {Sighting} latest */
function latestPlace(latest) {
  return [
    h("p", {class: "small soft"}, `${t.bikes.lastHeard} ${ago(latest.lastSeen)}`),
    h("p", {class: "latest-place"}, latest.station.name)
  ];
}

/**
 * @param {Bike} bike
 * @param {string} base
 * @param {any} report
 */
function acts(bike, base, report) {
  const hint = report.sightingsUntil && !report.policeReference
      ? h("p", {class: "small soft"}, t.trail.until(moment(report.sightingsUntil)))
      : null;
  const letter = h("a", {class: "button wide", href: `/my/bikes/${bike.id}/letter`}, t.trail.letter);
  if (!may(bike, "report")) return h("div", {class: "stack"}, hint, letter);
  return h(
      "div", {class: "stack"},
      h("button", {class: "wide", onclick: () => askPolice(base, report)}, t.trail.police,
        report.policeReference && h("span", {class: "chip"}, report.policeReference)),
      hint, h("a", {class: "button wide", href: `${base}/evidence`, download: "evidence.json"}, t.trail.evidence),
      h("p", {class: "small soft"}, t.trail.evidenceHint), letter,
      h("button", {class: "primary wide", onclick: () => askFound(base)}, t.trail.end));
}

/**
 * @param {string} base
 * @param {any} report
 */
function askPolice(base, report) {
  ask(t.trail.police,
      [
        labelled(
            t.gone.police,
            h("input",
              {name: "policeReference", maxlength: 64, value: report.policeReference ?? "", autocomplete: "off"}),
            t.gone.policeHint),
        labelled(t.gone.force, h("input", {name: "policeForce", maxlength: 64, value: report.policeForce ?? ""})),
      ],
      {text: t.save}, async (form) => {
        const {policeReference = null, policeForce = null} = values(form);
        await call("PATCH", base, {body: {policeReference, policeForce}});
        dispatchEvent(new CustomEvent("page:go", {detail: location.pathname}));
      });
}

/** @param {string} base */
function askFound(base) {
  const key = crypto.randomUUID();
  const outcomes = /** @type {const} */ (["recovered", "falseAlarm", "givenUp"]);
  const by = h("select", {name: "recoveredBy"}, [
    "owner", "police", "venue", "finder", "other"
  ].map((who) => h("option", {value: who}, t.found[/** @type {"owner"} */ (who)])));
  const byField = labelled(t.found.by, by);
  const choices =
      h("fieldset", {class: "choices"},
        outcomes.map(
            (outcome, index) =>
                h("label", {}, h("input", {
                    type: "radio",
                    name: "outcome",
                    value: outcome,
                    checked: index === 0,
                    onchange: () => {
                      byField.hidden = outcome !== "recovered";
                    }
                  }),
                  t.found[outcome])));
  const note = labelled(t.found.note, h("textarea", {name: "note", rows: 2, maxlength: 500}));
  ask(t.found.title, [choices, byField, note, h("p", {class: "small soft"}, t.found.lead)], {text: t.found.submit},
      async (form) => {
        const {recoveredBy, ...closure} = values(form);
        await create(`${base}/closure`, closure.outcome === "recovered" ? {...closure, recoveredBy} : closure, key);
        dispatchEvent(new CustomEvent("page:go", {detail: "/my"}));
      });
}
