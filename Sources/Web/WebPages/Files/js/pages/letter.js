import {all, call} from "../api.js";
import {h} from "../dom.js";
import {distance, fullDate, fullSpan, fullTime} from "../format.js";
import {bikeName, colourName, kindName, labelled, top} from "../parts.js";
import {t} from "../text.js";
import {latestFirst} from "../trail/stays.js";

/** @typedef {import("../parts.js").Bike} Bike */

/**
 * A letter to the police, to be printed and signed: the bike, the search and where its beacon was heard.
 *
 * @param {string} id
 */
export async function page(id) {
  const [bike, reports, owner] = await Promise.all(
      [call("GET", `/v1/bikes/${id}`), all(`/v1/bikes/${id}/reports?limit=100`), call("GET", "/v1/owner")]);
  const wanted = new URLSearchParams(location.search).get("report") ?? bike.openReport;
  const report = reports.find((report) => report.id === wanted) ?? reports.at(-1);
  if (!report) return nothing(id);
  const [sightings, fingerprint] =
      await Promise.all([all(`/v1/bikes/${id}/reports/${report.id}/sightings?limit=100`), keyFingerprint()]);
  const shown = latestFirst(sightings).filter((sighting) => !sighting.dismissed).reverse();
  const tools =
      h("div", {class: "no-print stack"},
        h("div", {class: "row between"}, h("h1", {}, t.letter.title),
          h("button", {class: "primary", onclick: () => print()}, t.print)));
  const letter =
      h("article", {class: "letter"}, sender(), addressee(report, owner.zone), h("h2", {}, subject(bike)),
        h("p", {}, t.letter.greeting), h("p", {}, `${opening(bike, report, owner.zone)} ${t.letter.beacon}`),
        h("h3", {}, t.letter.bike), facts(bike, report), ...heard(shown, report, owner.zone), ...evidence(fingerprint),
        !report.closed && h("p", {}, t.letter.request), signature());
  return {title: t.letter.title, view: h("div", {}, top(), h("main", {}, tools, letter))};
}

/** @param {string} id */
function nothing(id) {
  const back = h("a", {class: "button", href: `/my/bikes/${id}`}, t.back);
  const main = h("main", {}, h("h1", {}, t.letter.title), h("p", {class: "lead"}, t.letter.noReport), back);
  return {title: t.letter.title, view: h("div", {}, top(), main)};
}

/** The fingerprint of the key that signs evidence now; null if the registry has none. */
async function keyFingerprint() {
  const published = await call("GET", "/v1/keys").catch(() => null);
  return published?.keys.at(-1)?.fingerprint ?? null;
}

/** Lines for the sender, which stay on this page. */
function sender() {
  const line = (/** @type {string} */ label, /** @type {any} */ autocomplete) =>
      labelled(label, h("input", {maxlength: 120, autocomplete}));
  return h(
      "div", {class: "sender", role: "group", "aria-label": t.letter.sender}, line(t.letter.name, "name"),
      line(t.letter.address, "street-address"), line(t.letter.phone, "tel"),
      h("p", {class: "small soft no-print"}, t.letter.senderHint));
}

/**
 * @param {any} report
 * @param {string} [zone]
 */
function addressee(report, zone) {
  return h(
      "div", {class: "addressee"},
      h("p", {}, report.policeForce ?? t.letter.force,
        report.policeReference && [h("br"), h("strong", {}, t.letter.reference(report.policeReference))].flat()),
      h("p", {}, fullDate(new Date(), zone)));
}

/** @param {Bike} bike */
function subject(bike) { return `${byKind(t.letter.subjects, bike)}: ${bikeName(bike)}`; }

/**
 * @param {Bike} bike
 * @param {any} report
 * @param {string} [zone]
 */
function opening(bike, report, zone) {
  const [thing, since] = [byKind(t.letter.things, bike), fullTime(report.missingSince, zone)];
  return report.closed ? t.letter.wasMissing(thing, since, fullTime(report.closed, zone))
                       : t.letter.missing(thing, since);
}

/**
 * @param {Record<string, string>} texts
 * @param {Bike} bike
 */
function byKind(texts, bike) { return texts[bike.kind] ?? texts.other; }

/**
 * @param {Bike} bike
 * @param {any} report
 */
function facts(bike, report) {
  const {uuid, major, minor} = bike.identity;
  const rows = [
    [kindName(bike.kind), bikeName(bike)],
    [t.form.colours, bike.colours.map(colourName).join(", ")],
    [t.bike.year, bike.year],
    [t.bike.serial, bike.serial],
    [t.bike.vin, bike.vin],
    [t.bike.engineNumber, bike.engineNumber],
    [t.bike.plate, bike.plate],
    [t.bike.notes, bike.notes],
    [t.gone.note, report.note],
    [t.letter.lastPlace, report.lastPlace && place(report.lastPlace)],
    [
      t.letter.identity,
      bike.rotation ? t.rotation.letter : `${t.bike.uuid} ${uuid}, ${t.bike.major} ${major}, ${t.bike.minor} ${minor}`
    ],
  ].filter(([, value]) => value);
  return h(
      "dl", {},
      rows.map(
          ([name, value]) =>
              h("div", {class: String(value).length > 24 ? "long" : null}, h("dt", {}, name), h("dd", {}, value))));
}

/** @param {{latitude: number, longitude: number, accuracy?: number}} at */
function place({latitude, longitude, accuracy}) {
  const range = accuracy === undefined ? "" : ` (±\u00a0${distance(accuracy).replace(" ", "\u00a0")})`;
  return `${latitude}, ${longitude}${range}`;
}

/**
 * @param {import("../trail/stays.js").Sighting[]} sightings
 * @param {any} report
 * @param {string} [zone]
 */
function heard(sightings, report, zone) {
  const title = h("h3", {}, t.trail.title);
  if (!sightings.length) {
    const until = report.sightingsUntil && fullTime(report.sightingsUntil, zone);
    const now = fullTime(new Date(), zone);
    const text = report.closed ? t.letter.neverHeard
        : until                ? t.letter.notHeardUntil(now, until)
                               : t.letter.notHeard(now);
    return [title, h("p", {}, text)];
  }
  const heads = [t.letter.when, t.letter.station, t.letter.place, t.letter.certainty];
  const rows = sightings.map((sighting) => h("tr", {}, [
                               fullSpan(sighting.firstSeen, sighting.lastSeen, zone), sighting.station.name,
                               place(sighting.place), t.trail.levels[sighting.level]
                             ].map((text, index) => h("td", {"data-head": heads[index]}, text))));
  const table =
      h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": t.trail.title},
        h("table", {}, h("thead", {}, h("tr", {}, heads.map((text) => h("th", {scope: "col"}, text)))),
          h("tbody", {}, rows)));
  return [title, h("p", {}, t.letter.heard(rows.length)), table, h("p", {}, `${t.letter.how} ${t.letter.levels}`)];
}

/** @param {string | null} fingerprint */
function evidence(fingerprint) {
  if (!fingerprint) return [];
  return [
    h("p", {}, t.letter.evidence(location.origin)),
    h("p", {class: "mono fingerprint"}, /** @type {string[]} */ (fingerprint.match(/.{1,8}/g)).join(" ")),
    h("p", {}, t.letter.compare),
  ];
}

function signature() {
  return h(
      "div", {class: "signature"}, h("p", {}, t.letter.closing),
      h("div", {class: "lines"}, h("p", {}, t.letter.date), h("p", {}, t.letter.signature)));
}
