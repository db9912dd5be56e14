import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {top} from "../parts.js";
import {isSignedIn} from "../session.js";
import {locale, t} from "../text.js";
import {load as loadAboutTexts, texts as aboutTexts} from "../text/about.js";
import {metresBetween} from "../trail/stays.js";

import {position} from "./gone.js";

/**
 * @typedef {{latitude: number, longitude: number, stations: number}} Area
 * @typedef {{listening: number, areas: Area[]}} Stations
 * @typedef {{operator?: {name?: string, contact?: string}, stations: Stations,
 *            partners?: {registry: string, stations: Stations}[]}} About
 */

/** Which stations count as near, in metres: a field of the grid is about 10 km wide. */
const near = 15_000;
/** The fewest stations of a field that the registry names. */
const fewest = 5;

/** What somebody wants to know before they sign up: beacons, stations, data, and who runs the registry. */
export async function page() {
  const [found] = await Promise.all([call("GET", "/v1/about").catch(() => null), loadAboutTexts()]);
  const about = /** @type {About | null} */ (found);
  const texts = aboutTexts();
  const points = (/** @type {string[]} */ lines) => h("ul", {class: "points"}, lines.map((line) => h("li", {}, line)));
  const section = (/** @type {string} */ title, /** @type {(Node | string)[]} */...parts) =>
      h("section", {class: "stack"}, h("h2", {}, title), ...parts);
  const main =
      h("main", {}, h("h1", {}, texts.title), section(texts.beacon, points(texts.beacons)),
        section(texts.stations, ...stations(about)),
        section(texts.knows, points(texts.known), h("p", {class: "soft"}, texts.limits)),
        section(texts.who, ...operator(about)),
        !isSignedIn() && h("a", {class: "button primary wide", href: "/sign-up"}, t.welcome.signUp));
  return {title: texts.title, view: h("div", {}, top(isSignedIn()), main)};
}

/**
 * @param {About | null} about
 * @returns {Node[]}
 */
function stations(about) {
  const texts = aboutTexts();
  if (!about) return [h("p", {class: "soft"}, texts.unknown)];
  const partners = about.partners ?? [];
  const {listening} = about.stations;
  const areas = [about.stations, ...partners.map((partner) => partner.stations)].flatMap((stations) => stations.areas);
  const answer = h("p", {role: "status"});
  const ask = async () => {
    fill(answer, texts.asked);
    const here = await position().catch(() => null);
    const count = here &&
        areas.filter((area) => metresBetween(here, area) <= near).reduce((sum, {stations}) => sum + stations, 0);
    fill(answer, !here ? texts.failed : count ? texts.within(count) : texts.nobody);
  };
  const list =
      h("details", {class: "card"}, h("summary", {}, texts.areas),
        h("div", {class: "stack"}, h("p", {class: "small soft"}, texts.areasHint(fewest)),
          h("ul", {class: "points"}, areas.map((area) => h("li", {}, areaLink(area))))));
  return [
    h("p", {class: "lead"}, listening ? texts.listening(listening) : texts.listeningNone),
    ...partners.map(({registry, stations}) => h("p", {}, texts.partner(stations.listening, registry))),
    ...(listening || areas.length ? [h("div", {class: "stack"}, h("button", {type: "button", onclick: ask}, texts.near),
                                       h("p", {class: "hint"}, texts.nearHint), answer)]
                                  : []),
    ...(areas.length ? [list] : [])
  ];
}

/**
 * A link to a map of a field, so large that it marks no place.
 *
 * @param {Area} area
 */
function areaLink({latitude, longitude, stations}) {
  const degrees = (/** @type {number} */ value, /** @type {string} */ positive, /** @type {string} */ negative) =>
      `${new Intl.NumberFormat(locale).format(Math.abs(value))}° ${value < 0 ? negative : positive}`;
  const {north, south, east, west} = aboutTexts();
  const place = `${degrees(latitude, north, south)}, ${degrees(longitude, east, west)}`;
  return h(
      "a", {
        href: `https://www.openstreetmap.org/#map=11/${latitude}/${longitude}`,
        target: "_blank",
        rel: "noreferrer",
      },
      aboutTexts().area(stations, place));
}

/**
 * @param {About | null} about
 * @returns {Node[]}
 */
function operator(about) {
  const texts = aboutTexts();
  if (!about) return [h("p", {class: "soft"}, texts.unknown)];
  const {name, contact} = about.operator ?? {};
  if (!name && !contact) return [h("p", {class: "notice warn"}, texts.nobodySaid)];
  const address = contact?.replace(/^(mailto|tel):/, "");
  return [
    ...(name ? [h("p", {}, texts.runs(name))] : []),
    ...(contact ? [h("p", {}, `${texts.contact}: `, h("a", {href: contact, rel: "noreferrer"}, address))] : [])
  ];
}
