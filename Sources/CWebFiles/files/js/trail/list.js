import {call} from "../api.js";
import {h} from "../dom.js";
import {ago, day, distance, span} from "../format.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

import {believable, latestFirst, mapLink, metresBetween} from "./stays.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

const chips = {
  possible: "",
  corroborated: "good",
  disputed: "warn"
};

/**
 * The trail as a list, the latest stay first.
 *
 * @param {Sighting[]} sightings
 * @param {string} path the report's sightings
 * @param {{latitude: number, longitude: number} | null} self the person's own position
 * @param {boolean} canAct whether the person may dismiss and acknowledge sightings
 */
export function trailList(sightings, path, self, canAct) {
  const latest = believable(sightings)[0];
  return h(
      "ol", {class: "trail"},
      latestFirst(sightings).map((sighting) => row(sighting, sighting === latest, path, self, canAct)));
}

/**
 * @param {Sighting} sighting
 * @param {boolean} isLatest
 * @param {string} path
 * @param {{latitude: number, longitude: number} | null} self
 * @param {boolean} canAct
 */
function row(sighting, isLatest, path, self, canAct) {
  const {station, place, level} = sighting;
  const facts = [
    place.accuracy !== undefined && t.trail.within(distance(place.accuracy)),
    self && t.trail.away(distance(metresBetween(self, place))),
    sighting.late && t.trail.late,
    sighting.timeUncertain && t.trail.uncertain,
  ].filter(Boolean);
  const reasons =
      sighting.reasons.map((reason) => t.trail.reasons[/** @type {keyof typeof t.trail.reasons} */ (reason)] ?? reason);
  return h(
      "li", {class: `${isLatest ? "latest" : ""} ${level} ${sighting.dismissed ? "disputed" : ""}`},
      h("div", {class: "row between"}, h("h3", {}, station.name),
        h("span", {class: `chip ${chips[level]}`}, t.trail.levels[level])),
      h("p", {class: "when"},
        h("time", {datetime: sighting.lastSeen},
          `${day(sighting.lastSeen)}, ${span(sighting.firstSeen, sighting.lastSeen)}`),
        isLatest && h("span", {class: "soft"}, ` · ${isStillHere(sighting) ? t.trail.here : ago(sighting.lastSeen)}`)),
      facts.length > 0 && h("p", {class: "small soft"}, facts.join(" · ")),
      reasons.map((reason) => h("p", {class: "small soft"}, reason)),
      sighting.dismissed ? h("p", {class: "small soft"}, t.trail.dismissed) : actions(sighting, path, canAct));
}

/**
 * @param {Sighting} sighting
 * @param {string} path
 * @param {boolean} canAct
 */
function actions(sighting, path, canAct) {
  const place = h("div", {class: "row actions"});
  const act = (/** @type {string} */ verb) => () => attempt(place, async () => {
    await call("POST", `${path}/${sighting.id}/${verb}`);
    dispatchEvent(new CustomEvent("trail:changed"));
  });
  place.append(h("a", {class: "button plain", href: mapLink(sighting.place, sighting.station.name)}, t.trail.openMap));
  if (!canAct) return place;
  place.append(h("button", {class: "plain", onclick: act("dismissal")}, t.trail.notMine));
  if (!sighting.acknowledged)
    place.append(h("button", {class: "plain", onclick: act("acknowledgement")}, t.trail.seen));
  return place;
}

/**
 * Whether a station heard the bike in the last minutes: it reports a stay every five minutes.
 *
 * @param {Sighting} sighting
 */
function isStillHere(sighting) { return !sighting.ended && Date.now() - Date.parse(sighting.lastSeen) < 8 * 60_000; }
