import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {distance} from "../format.js";
import {labelled} from "../parts.js";
import {t} from "../text.js";

import {strangeness} from "./neighbours.js";
import {button} from "./parts.js";
import {PlaceMap} from "./place-map.js";
import {d} from "./text.js";

/**
 * @typedef {{latitude: number, longitude: number, accuracy?: number}} Place
 * @typedef {[id: string, name: string, latitude: number, longitude: number]} Mark the beginning of a station in the map
 */

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
 * The fields of a place, with a map on which it can be chosen. Both coordinates can be pasted into either field. A
 * place far from all other stations is shown as strange, since swapped coordinates are on the Earth, too.
 *
 * @param {Place} [place]
 * @param {string} [id] of the station that has the place
 */
export function placeFields(place, id) {
  const latitude = degrees("latitude", place?.latitude);
  const longitude = degrees("longitude", place?.longitude);
  const fields = [latitude, longitude];
  /** @type {import("./neighbours.js").Point | null} */
  let turned = null;
  const words = h("p", {role: "status"});
  const swap = h("button", {type: "button", onclick: () => turned && put(turned)}, d.place.swap);
  const warning = h("div", {class: "notice warn stack", hidden: true}, words, swap);
  /** @type {import("./neighbours.js").Point[]} */
  let others = [];
  const chosen = () => {
    const [first, second] = fields.map(({value}) => coordinates(value));
    const isPlace = first.length === 1 && second.length === 1 && fields.every((field) => field.validity.valid);
    return isPlace ? {latitude: first[0], longitude: second[0]} : null;
  };
  const put = (/** @type {import("./neighbours.js").Point} */ point) => {
    latitude.value = String(point.latitude);
    longitude.value = String(point.longitude);
    check();
  };
  const map = new PlaceMap(put);
  const check = () => {
    fields.forEach(validate);
    const point = chosen();
    map.show(point);
    const strange = point && strangeness(point, others);
    turned = strange ? strange.swapped : null;
    // The button must stay the same while it is pressed: leaving a field checks again.
    warning.hidden = !strange;
    swap.hidden = !turned;
    fill(
        words, strange ? `${d.place.far(distance(strange.metres))} ${turned ? d.place.swapped : d.place.check}` : null);
  };
  const unread = h("div", {role: "status", class: "slot"});
  const readOthers = async () => {
    const answer = await call("GET", "/v1/station-map").catch(() => null);
    if (!answer) {
      const again = button(t.again, readOthers);
      return fill(unread, h("div", {class: "notice warn stack"}, h("p", {}, d.place.unread), again));
    }
    if (unread.contains(document.activeElement)) latitude.focus();
    fill(unread);
    others = answer.stations.filter((/** @type {Mark} */ mark) => mark[0] !== id).map(pointOf);
    map.setOthers(others);
    check();
  };
  readOthers();
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
  if (place) map.show(place);
  return h(
      "div", {class: "stack"}, h("p", {class: "hint"}, d.place.hint), map.element, unread, warning,
      h("div", {class: "pair"}, labelled(d.station.latitude, latitude), labelled(d.station.longitude, longitude),
        labelled(d.station.accuracy, accuracy)));
}

/** @param {Mark} mark */
function pointOf([, , latitude, longitude]) { return {latitude, longitude}; }

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
