import {ticking} from "../ages.js";
import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, capital, day, distance, span} from "../format.js";
import {ask} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

import {believable, latestFirst, mapLink, metresBetween, radius} from "./stays.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

const chips = {
  possible: "",
  corroborated: "good",
  disputed: "warn"
};

/** The number of stays that are shown at first, and how many more each time: thousands together would halt a phone. */
const [fewest, step] = [5, 50];

/** A trail as a list, the latest stay first, with a button that shows more of it. */
export class TrailList {
  /**
   * @param {object} options
   * @param {string} [options.path] the report's sightings; without it the reader can only look
   * @param {string} [options.kind] of the bike
   * @param {boolean} [options.isOver] whether the search is over: where the bike was last is then nothing to act on
   */
  constructor({path, kind = "other", isOver = false}) {
    this.path = path;
    this.kind = kind;
    this.isOver = isOver;
    this.most = fewest;
    /** @type {Sighting[]} */
    this.sightings = [];
    /** @type {{latitude: number, longitude: number} | null} */
    this.self = null;
    this.list = h("ol", {class: "trail"});
    this.more = h("button", {class: "wide", onclick: () => this.showMore()});
    this.element = h("div", {class: "stack"}, this.list, this.more);
  }

  /**
   * Shows the stays; what had the focus keeps it.
   *
   * @param {Sighting[]} sightings
   * @param {{latitude: number, longitude: number} | null} [self] the person's own position
   */
  draw(sightings, self = null) {
    [this.sightings, this.self] = [sightings, self];
    const focused = this.list.contains(document.activeElement) && document.activeElement?.getAttribute("data-mark");
    const latest = this.isOver ? undefined : believable(sightings)[0];
    const shown = latestFirst(sightings).slice(0, this.most);
    fill(this.list, shown.map((sighting) => {
      const buttons = this.isOver ? null : actions(sighting, this.kind, this.path);
      return row(sighting, sighting === latest, self, buttons);
    }));
    const rest = sightings.length - shown.length;
    this.more.hidden = rest === 0;
    fill(this.more, t.trail.showMore(rest));
    if (focused) (this.marked(focused) ?? this.marked(focused.split(" ")[0]))?.focus({preventScroll: true});
  }

  showMore() {
    const before = this.list.childElementCount;
    this.most += step;
    this.draw(this.sightings, this.self);
    /** @type {HTMLElement | undefined} */ (this.list.querySelectorAll("li")[before])?.focus();
  }

  /**
   * A stay, or a button of one, by its mark.
   *
   * @param {string} mark
   * @returns {HTMLElement | null}
   */
  marked(mark) { return this.list.querySelector(`[data-mark="${CSS.escape(mark)}"]`); }
}

/**
 * @param {Sighting} sighting
 * @param {boolean} isLatest
 * @param {{latitude: number, longitude: number} | null | undefined} self
 * @param {HTMLElement | null} buttons
 */
function row(sighting, isLatest, self, buttons) {
  const {station, level} = sighting;
  const facts = [
    t.trail.within(distance(radius(sighting))),
    self && t.trail.away(distance(metresBetween(self, sighting.place))),
    sighting.sameStay && t.trail.sameStay,
    sighting.late && t.trail.late,
    sighting.timeUncertain && t.trail.uncertain,
  ].filter(Boolean);
  const reasons =
      sighting.reasons.map((reason) => t.trail.reasons[/** @type {keyof typeof t.trail.reasons} */ (reason)] ?? reason);
  return h(
      "li", {
        class: `${isLatest ? "latest" : ""} ${level} ${sighting.dismissed ? "disputed" : ""}`,
        tabindex: -1,
        "data-mark": sighting.id
      },
      h("div", {class: "row between"}, h("h3", {}, station.name),
        h("span", {class: `chip ${chips[level]}`}, t.trail.levels[level])),
      h("p", {class: "when"},
        h("time", {datetime: sighting.lastSeen},
          `${capital(day(sighting.lastSeen))}, ${span(sighting.firstSeen, sighting.lastSeen)}`),
        isLatest &&
            h("span", {class: "soft"}, " · ",
              ticking(() => isStillHere(sighting) ? t.trail.here : ago(sighting.lastSeen)))),
      sighting.receiver && h("p", {class: "small soft"}, heardBy(sighting.id, sighting.receiver)),
      facts.length > 0 && h("p", {class: "small soft"}, capital(facts.join(" · "))),
      reasons.map((reason) => h("p", {class: "small soft"}, reason)),
      sighting.dismissed && h("p", {class: "small soft"}, t.trail.dismissed), !sighting.dismissed && buttons);
}

/**
 * The receiver that heard it, with a link to a map if its place is known.
 *
 * @param {string} id
 * @param {NonNullable<Sighting["receiver"]>} receiver
 */
function heardBy(id, {name, place}) {
  const text = t.trail.heardBy(name);
  return place ? mapLink(place, name, {"data-mark": `${id} receiver`}, text) : text;
}

/**
 * @param {Sighting} sighting
 * @param {string} kind of the bike
 * @param {string} [path]
 */
function actions(sighting, kind, path) {
  const noun = t.nouns[/** @type {keyof typeof t.nouns} */ (kind)] ?? t.nouns.other;
  const place = h("div", {class: "row actions"});
  // The stream then brings the changed sighting.
  const act = (/** @type {string} */ verb) => call("POST", `${path}/${sighting.id}/${verb}`);
  const dismiss = () =>
      ask(t.trail.notMineAsk(noun), [h("p", {class: "soft"}, t.trail.notMineLead)],
          {text: t.trail.notMine(noun), isSecond: true}, () => act("dismissal"));
  place.append(mapLink(sighting.place, sighting.station.name, {class: "button plain"}, t.trail.openMap));
  if (!path) return place;
  place.append(h("button", {class: "plain", onclick: dismiss}, t.trail.notMine(noun)));
  if (!sighting.acknowledged)
    place.append(
        h("button", {class: "plain", onclick: () => attempt(place, () => act("acknowledgement"))}, t.trail.seen));
  // The list is drawn again at each change; these marks let the focus return to where it was.
  [...place.children].forEach((child, index) => child.setAttribute("data-mark", `${sighting.id} ${index}`));
  return place;
}

/**
 * Whether a station heard the bike in the last minutes: it reports a stay every five minutes.
 *
 * @param {Sighting} sighting
 */
function isStillHere(sighting) { return !sighting.ended && Date.now() - Date.parse(sighting.lastSeen) < 8 * 60_000; }
