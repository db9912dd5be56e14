import {ticking} from "../ages.js";
import {all, call, Problem} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, distance} from "../format.js";
import {bikeName} from "../parts.js";
import {attempt} from "../problems.js";
import {saySaved} from "../saved.js";
import {t} from "../text.js";
import {load as loadParkingTexts, texts as parkingTexts} from "../text/parking.js";
import {believable, mapLink} from "../trail/stays.js";

import {position} from "./gone.js";

/** @typedef {import("../parts.js").Bike} Bike */

/**
 * Where the owner has left the bike, or where a station last heard it in a search, whichever is later.
 *
 * @param {Bike} bike
 */
export async function parking(bike) {
  await loadParkingTexts();
  const texts = parkingTexts();
  const [known, heard, acts] = [h("div", {class: "stack"}), h("div", {class: "stack"}), h("div", {class: "stack"})];
  const path = `/v1/bikes/${bike.id}/parking`;
  const park = () => attempt(acts, async () => {
    // A minute ago, the bike may have been in another street.
    const place = await position(0).catch(() => {
      throw new Problem(1, {detail: texts.failed});
    });
    draw(await call("PUT", path, {body: {place}}));
    saySaved();
  });
  const forget = () => attempt(known, async () => draw(await call("DELETE", path)));
  /** @param {any} now the bike */
  const draw = (now) => {
    const {parked} = now;
    // A report from this page takes it as the last place.
    bike.parked = parked;
    fill(known, parked && [
      h("p", {}, ticking(() => texts.parked(ago(parked.since))),
        parked.place.accuracy !== undefined && ` (${texts.within(distance(parked.place.accuracy))})`),
      mapLink(parked.place, bikeName(bike), {class: "button primary wide"}, t.trail.openMap),
      h("button", {type: "button", class: "plain", onclick: forget}, texts.forget)
    ].flat());
    fill(
        acts,
        h("button", {type: "button", class: parked ? "wide" : "primary wide", onclick: park},
          parked ? texts.parkAgain : texts.park),
        h("p", {class: "small soft"}, texts.lead));
  };
  draw(bike);
  let isRead = false;
  const opened = () => {
    if (!details.open || isRead) return;
    isRead = true;
    // This is optional: the owner's own place is shown in any case.
    showHeard(heard, bike).catch(() => {});
  };
  const details =
      h("details", {class: "card", open: Boolean(bike.parked), "data-part": "parking", ontoggle: opened},
        h("summary", {}, texts.title), h("div", {class: "stack"}, known, heard, acts));
  return details;
}

/**
 * Shows where a station last heard the bike, unless its owner has parked it since.
 *
 * @param {HTMLElement} place
 * @param {Bike} bike
 */
async function showHeard(place, bike) {
  const reports = await all(`/v1/bikes/${bike.id}/reports?limit=100`);
  const last = reports.filter((report) => report.closed).sort((a, b) => a.closed < b.closed ? 1 : -1)[0];
  if (!last) return;
  const latest = believable(await all(`/v1/bikes/${bike.id}/reports/${last.id}/sightings?limit=100`))[0];
  if (!latest || (bike.parked && bike.parked.since > latest.lastSeen)) return;
  fill(
      place, h("p", {}, parkingTexts().heard(latest.station.name, ago(latest.lastSeen))),
      mapLink(latest.place, latest.station.name, {class: "button wide"}, t.trail.openMap));
}
