import {h} from "../dom.js";
import {labelled} from "../parts.js";

import {d} from "./text.js";

/** @typedef {{latitude: number, longitude: number, accuracy?: number}} Place */

/** @param {Place} [place] */
export function latitudeField(place) { return degrees(d.station.latitude, "latitude", 90, place?.latitude); }

/** @param {Place} [place] */
export function longitudeField(place) { return degrees(d.station.longitude, "longitude", 180, place?.longitude); }

/** @param {Place} [place] */
export function accuracyField(place) {
  const value = place?.accuracy ?? "";
  return labelled(
      d.station.accuracy, h("input", {type: "number", name: "accuracy", min: 0, max: 10_000, step: "any", value}));
}

/**
 * @param {string} label
 * @param {string} name
 * @param {number} most
 * @param {number | ""} [value]
 */
function degrees(label, name, most, value = "") {
  return labelled(label, h("input", {type: "number", name, required: true, min: -most, max: most, step: "any", value}));
}

/** @param {Place} place */
export function placeText({latitude, longitude, accuracy}) {
  return `${latitude}, ${longitude}${accuracy === undefined ? "" : ` (± ${accuracy} m)`}`;
}
