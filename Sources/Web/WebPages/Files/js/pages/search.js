import {ticking} from "../ages.js";
import {all, call, create} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, capital, moment} from "../format.js";
import {ask, bikeName, labelled, may, values} from "../parts.js";
import {whenSignedOut} from "../problems.js";
import {renewPage} from "../saved.js";
import {t} from "../text.js";
import {TrailList} from "../trail/list.js";
import {LiveMark} from "../trail/live-mark.js";
import {follow} from "../trail/live.js";
import {TrailMap} from "../trail/map.js";
import {believable, mapLink} from "../trail/stays.js";

import {policeFields, position, whenAndWhere} from "./gone.js";
import {callPolice, nextSteps} from "./next-steps.js";
import {shares} from "./shares.js";

/**
 * @typedef {import("../parts.js").Bike} Bike
 * @typedef {import("../trail/stays.js").Sighting} Sighting
 */

/** How long the rest of the page waits for the map, in milliseconds. */
const patience = 4000;

/**
 * A running search: the latest place, the map, the list, and what the owner can do. `drawn` ends once the map is there,
 * or has let the page wait for long.
 *
 * @param {Bike} bike
 * @param {string} id
 */
export async function search(bike, id) {
  const base = `/v1/bikes/${bike.id}/reports/${id}`;
  const path = `${base}/sightings`;
  const map = new TrailMap(undefined, () => showSelf());
  // Together, because each costs a phone a round trip.
  const [links, steps] = [bike.role ? null : shares(bike, id), nextSteps(bike, base)];
  const [report, known] = await Promise.all([call("GET", base), all(`${path}?limit=100`), map.sized]);
  const stop = isOver(report) && !bike.role ? await (await import("./stopped.js")).stopped(bike) : null;
  const list = new TrailList({path: may(bike, "report") ? path : undefined, kind: bike.kind});
  const [headline, news] = [h("div", {class: "stack"}), h("p", {class: "visually-hidden", role: "status"})];
  const mark = new LiveMark();
  const [{reached, more}, shared] = [await steps, await links];
  /** @type {Sighting[]} */
  let sightings = known;
  /** @type {{latitude: number, longitude: number} | null} */
  let self = null;
  /** @type {Sighting | undefined} */
  let latest;
  const draw = () => {
    const before = latest;
    latest = believable(sightings)[0];
    // Screen readers announce a new place, but not each minute of its age.
    if (before && latest && before.id !== latest.id) fill(news, t.trail.heardAt(latest.station.name));
    found.hidden = sightings.length === 0;
    const none = sightings.some((sighting) => !sighting.dismissed) ? t.trail.disputed : t.trail.none;
    fill(headline, ...(latest ? latestPlace(latest) : [
           h("p", {class: "latest-place"}, t.trail.reportedAt(moment(report.opened))), h("p", {class: "soft"}, none)
         ]));
    // Before the first sighting, whether one reaches the owner matters most; afterwards, the place comes first.
    const slot = latest ? below : above;
    if (!stop && reached.parentElement !== slot) slot.append(reached);
    list.draw(sightings, self);
    map.draw(sightings);
  };
  const showSelf = async () => {
    self = await position().catch(() => null);
    fill(noPosition, !self && t.gone.placeFailed);
    if (!self) return;
    map.showSelf(self);
    draw();
  };
  const noPosition = h("p", {class: "small soft", role: "status"});
  map.element.append(noPosition);
  const [above, below] = [h("div", {class: "slot"}), h("div", {class: "slot"})];
  const found =
      h("div", {class: "found"}, map.element, h("section", {class: "stack"}, h("h2", {}, t.trail.title), list.element));
  draw();
  const end = follow(path, {
    known,
    onChange: (changed) => {
      sightings = changed;
      draw();
    },
    onState: (isLive, since) => mark.set(isLive, since),
    // A trail that has stopped must not stay on the screen: not after signing out elsewhere, nor after the member was
    // removed or the bike was erased.
    onEnd: (status) =>
        status === 401 ? whenSignedOut() : dispatchEvent(new CustomEvent("page:go", {detail: location.pathname})),
  });
  const drawn = Promise.race([
    new Promise((done) => requestAnimationFrame(() => map.start().then(done, done))),
    new Promise((done) => setTimeout(done, patience)),
  ]);
  const until = report.sightingsUntil && !stop ? searchEnd(bike, report) : "";
  // The end that is near stands above all that can wait.
  const isShort = report.newBeacon && may(bike, "report");
  const parts = [
    ...(stop ? [stop] : []),
    h("section", {class: "stack"}, headline, stop ? [] : h("p", {class: "row"}, mark.element)),
    ...(until && isShort ? [h("p", {class: "notice warn"}, until)] : []),
    ...(report.unheard ? [h("p", {class: "notice bad"}, t.rotation.unreadable)] : []),
    above,
    callPolice(),
    found,
    below,
    ...more,
    facts(bike, base, report),
    news,
    acts(bike, base, report, isShort ? "" : until),
    ...(shared ? [shared] : []),
  ];
  return {
    parts,
    drawn,
    leave: () => {
      end();
      mark.stop();
      map.stop();
    }
  };
}

/**
 * Whether stations no longer search, as far as the phone's clock says so. Then an operator may have stopped it.
 *
 * @param {any} report
 */
function isOver({sightingsUntil}) { return sightingsUntil && Date.parse(sightingsUntil) <= Date.now() + 300_000; }

/** @param {Sighting} latest */
function latestPlace(latest) {
  return [
    h("p", {class: "small soft"}, `${t.bikes.lastHeard} `, ticking(() => ago(latest.lastSeen))),
    h("p", {class: "latest-place"}, latest.station.name),
    mapLink(latest.place, latest.station.name, {class: "button primary wide"}, t.trail.openMap)
  ];
}

/**
 * What the owner has reported, which can be corrected.
 *
 * @param {Bike} bike
 * @param {string} base
 * @param {any} report
 */
function facts(bike, base, report) {
  const {lastPlace} = report;
  const rows =
      /** @type {[string, any][]} */ ([
        [t.trail.since, capital(moment(report.missingSince))],
        [
          t.trail.reported,
          [capital(moment(report.opened)), report.openedBy && t.trail.openedBy(report.openedBy)].filter(Boolean).join(
              ". ")
        ],
        [t.gone.place, lastPlace && mapLink(lastPlace, bikeName(bike), {}, t.trail.openMap)],
        [t.gone.note, report.note],
      ]).filter(([, value]) => value);
  return h(
      "section", {class: "stack"}, h("h2", {}, t.trail.report),
      h("dl", {class: "values"}, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      may(bike, "report") && h("p", {}, h("button", {onclick: () => askCorrection(base, report)}, t.trail.correct)));
}

/**
 * @param {string} base
 * @param {any} report
 */
function askCorrection(base, report) {
  const {fields, read} = whenAndWhere(report);
  ask(t.trail.report, fields, {text: t.save}, async (form) => {
    await call("PATCH", base, {body: {lastPlace: null, note: null, ...read(form)}});
    renewPage();
  });
}

/**
 * @param {Bike} bike
 * @param {string} base
 * @param {any} report
 * @param {string} until when stations stop listening, in words; empty if it does not matter
 */
function acts(bike, base, report, until) {
  const hint = until ? h("p", {class: "small soft"}, until) : "";
  if (!may(bike, "report")) return hint;
  return h(
      "section", {class: "stack"}, h("h2", {}, t.trail.forPolice),
      h("ul", {class: "menu"},
        [
          h("button", {onclick: () => askPolice(base, report)}, t.trail.police,
            report.policeReference && h("span", {class: "small soft"}, report.policeReference)),
          h("a", {class: "button", href: `/my/bikes/${bike.id}/letter`}, t.trail.letter),
          h("a", {class: "button", href: `/my/bikes/${bike.id}/poster`}, t.trail.poster),
          h("a", {class: "button", href: `${base}/evidence`, download: ""},
            h("span", {}, t.trail.evidence, h("br"), h("span", {class: "small soft"}, t.trail.evidenceHint)))
        ].map((item) => h("li", {}, item))),
      hint, h("button", {class: "wide", onclick: () => askFound(bike, base)}, t.trail.end));
}

/**
 * @param {Bike} bike
 * @param {any} report
 */
function searchEnd(bike, {newBeacon, policeReference, sightingsUntil}) {
  const until = moment(sightingsUntil);
  if (!may(bike, "report")) return t.trail.endsAt(until);
  if (newBeacon) return policeReference ? t.trail.newReferenced(until) : t.trail.newBeacon(until);
  return policeReference ? t.trail.endsAt(until) : t.trail.until(until);
}

/**
 * @param {string} base
 * @param {any} report
 */
function askPolice(base, report) {
  ask(t.trail.forPolice, policeFields(report), {text: t.save}, async (form) => {
    const {policeReference = null, policeForce = null} = values(form);
    await call("PATCH", base, {body: {policeReference, policeForce}});
    renewPage();
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
