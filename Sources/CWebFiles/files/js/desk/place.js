import {h} from "../dom.js";
import {labelled} from "../parts.js";

import {d} from "./text.js";

/** @typedef {{latitude: number, longitude: number, accuracy?: number}} Place */

const sign = "[-+−]?";
const decimal = `${sign}\\d{1,3}(?:[.,]\\d+)?`;
const withPoint = `${sign}\\d{1,3}(?:\\.\\d+)?`;
const single = new RegExp(`^${decimal}$`);
/** Two numbers with a space or a semicolon between them, or with points and a comma between them. */
const pairs =
    [`^(${decimal})(?:[,;]? |;)(${decimal})$`, `^(${withPoint}),(${withPoint})$`].map((text) => new RegExp(text));
const most = {
  latitude: 90,
  longitude: 180
};

/**
 * The one or two numbers of a text as people and maps write coordinates, such as “52.5163, 13.3777” or “52,5163”.
 *
 * @param {string} text
 * @returns {number[]} empty if it is none
 */
export function coordinates(text) {
  const plain = text.replace(/[°()]/g, " ").trim().replace(/\s+/g, " ").replace(/ ([,;])/g, "$1");
  const found = single.test(plain) ? [plain] : pairs.map((form) => form.exec(plain)?.slice(1)).find(Boolean);
  return (found ?? []).map((number) => Number(number.replace("−", "-").replace(",", ".")));
}

/**
 * The fields of a place. Both coordinates can be pasted into either field.
 *
 * @param {Place} [place]
 */
export function placeFields(place) {
  const latitude = degrees("latitude", place?.latitude);
  const longitude = degrees("longitude", place?.longitude);
  const fields = [latitude, longitude];
  const check = () => fields.forEach(validate);
  const split = (/** @type {HTMLInputElement} */ field) => {
    const found = coordinates(field.value);
    if (found.length === 2) fields.forEach((each, index) => (each.value = String(found[index])));
  };
  for (const field of fields) {
    field.addEventListener("input", (event) => {
      const {inputType} = /** @type {InputEvent} */ (event);
      // A pair that somebody is still typing must not disappear from under the hands.
      if (inputType === "insertFromPaste" || inputType === "insertFromDrop") split(field);
      check();
    });
    field.addEventListener("change", () => {
      split(field);
      check();
    });
  }
  const accuracy =
      h("input", {type: "number", name: "accuracy", min: 0, max: 10_000, step: "any", value: place?.accuracy ?? ""});
  return h(
      "div", {class: "pair"}, labelled(d.station.latitude, latitude), labelled(d.station.longitude, longitude),
      labelled(d.station.accuracy, accuracy));
}

/**
 * The place in the fields of a form.
 *
 * @param {Record<string, string>} values
 * @returns {Place}
 */
export function placeFrom({latitude, longitude, accuracy}) {
  return {
    latitude: coordinates(latitude)[0],
    longitude: coordinates(longitude)[0],
    ...(accuracy && {accuracy: Number(accuracy)})
  };
}

/**
 * @param {keyof typeof most} name
 * @param {number | ""} [value]
 */
function degrees(name, value = "") {
  // A field for numbers drops the comma of a pasted pair, and makes one wrong number of both.
  return h("input", {name, value, required: true, inputmode: "decimal", autocomplete: "off", spellcheck: "false"});
}

/** @param {HTMLInputElement} field */
function validate(field) {
  const found = coordinates(field.value);
  const name = /** @type {keyof typeof most} */ (field.name);
  // A pair goes to both fields as soon as this one is left.
  const isValid = !field.value || found.length === 2 || (found.length === 1 && Math.abs(found[0]) <= most[name]);
  field.setCustomValidity(isValid ? "" : d.problems.fields[name]);
}

/** @param {Place} place */
export function placeText({latitude, longitude, accuracy}) {
  return `${latitude}, ${longitude}${accuracy === undefined ? "" : ` (± ${accuracy} m)`}`;
}
