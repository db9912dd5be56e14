import {ticking} from "../ages.js";
import {all, call, create} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, moment} from "../format.js";
import {alertsOff, ask, labelled, may, values} from "../parts.js";
import {t} from "../text.js";
import {TrailList} from "../trail/list.js";
import {follow} from "../trail/live.js";
import {TrailMap} from "../trail/map.js";
import {believable} from "../trail/stays.js";

import {position} from "./gone.js";
import {shares} from "./shares.js";

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
  // At once, because each costs a phone a round trip.
  const known = all(`${path}?limit=100`);
  const links = bike.role ? null : shares(bike, id);
  const [report, channels] =
      await Promise.all([call("GET", base), all("/v1/channels?limit=100").catch(() => []), known]);
  const off = alertsOff(channels);
  const map = new TrailMap();
  const list = new TrailList({path: may(bike, "report") ? path : undefined});
  const [headline, news] = [h("div", {class: "stack"}), h("p", {class: "visually-hidden", role: "status"})];
  const state = h("span", {class: "live"}, t.trail.connecting);
  /** @type {Sighting[]} */
  let sightings = [];
  /** @type {{latitude: number, longitude: number} | null} */
  let self = null;
  /** @type {Sighting | undefined} */
  let latest;
  const draw = () => {
    const before = latest;
    latest = believable(sightings)[0];
    // Screen readers are told of a new place, but not of each minute that its age grows by.
    if (before && latest && before.id !== latest.id) fill(news, t.trail.heardAt(latest.station.name));
    heard.hidden = map.element.hidden = sightings.length === 0;
    const none = sightings.some((sighting) => !sighting.dismissed) ? t.trail.disputed : t.trail.none;
    fill(headline, ...(latest ? latestPlace(latest) : [h("p", {class: "lead"}, none)]));
    list.draw(sightings, self);
    map.draw(sightings);
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
  const heard =
      h("section", {class: "stack"},
        h("div", {class: "row between"}, h("div", {class: "row"}, h("h2", {}, t.trail.title), state), whereAmI),
        list.element);
  const end = await follow(
      path,
      (changed) => {
        sightings = changed;
        draw();
      },
      (isLive) => {
        state.classList.toggle("on", isLive);
        fill(state, isLive ? t.trail.live : t.trail.connecting);
      },
      known);
  requestAnimationFrame(() => map.start());
  const parts = [
    ...(off ? [off] : []),
    h("div", {class: "stack"}, headline,
      h("p", {class: "small soft"}, t.trail.missingSince(moment(report.missingSince))),
      report.openedBy && h("p", {class: "small soft"}, t.trail.openedBy(report.openedBy))),
    ...(report.unheard ? [h("p", {class: "notice bad"}, t.rotation.unreadable)] : []),
    map.element,
    h("p", {class: "notice warn"}, t.trail.advice),
    heard,
    news,
    acts(bike, base, report),
    ...(links ? [await links] : []),
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
    h("p", {class: "small soft"}, `${t.bikes.lastHeard} `, ticking(() => ago(latest.lastSeen))),
    h("p", {class: "latest-place"}, latest.station.name)
  ];
}

/**
 * @param {Bike} bike
 * @param {string} base
 * @param {any} report
 */
function acts(bike, base, report) {
  const isExtended = report.policeReference || !may(bike, "report");
  const hint = report.sightingsUntil &&
      h("p", {class: "small soft"}, (isExtended ? t.trail.endsAt : t.trail.until)(moment(report.sightingsUntil)));
  if (!may(bike, "report")) return hint;
  return h(
      "section", {class: "stack"}, h("h2", {}, t.trail.forPolice),
      h("ul", {class: "menu"},
        [
          h("button", {onclick: () => askPolice(base, report)}, t.trail.police,
            report.policeReference && h("span", {class: "small soft"}, report.policeReference)),
          h("a", {class: "button", href: `/my/bikes/${bike.id}/letter`}, t.trail.letter),
          h("a", {class: "button", href: `${base}/evidence`, download: ""},
            h("span", {}, t.trail.evidence, h("br"), h("span", {class: "small soft"}, t.trail.evidenceHint)))
        ].map((item) => h("li", {}, item))),
      hint, h("button", {class: "wide", onclick: () => askFound(bike, base)}, t.trail.end));
}

/**
 * @param {string} base
 * @param {any} report
 */
function askPolice(base, report) {
  ask(t.trail.forPolice,
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

/**
 * @param {Bike} bike
 * @param {string} base
 */
function askFound(bike, base) {
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
        dispatchEvent(new CustomEvent("page:go", {detail: `/my/bikes/${bike.id}`}));
      });
}
