import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {clock, duration} from "../format.js";
import {labelled} from "../parts.js";
import {attempt} from "../problems.js";

import {number} from "./numbers.js";
import {button, part, row, table} from "./parts.js";
import {d} from "./text.js";

/**
 * @typedef {{begins: string, listened: number, adverts: number, devices: number, restarts: number, listAge?: number}}
 * Quarter
 */
/**
 * @typedef {object} Hour
 * @property {Date} begins
 * @property {number} known the number of quarters that are known
 * @property {number} listened in seconds
 * @property {number} adverts
 * @property {number} devices of the busiest quarter: phones change their address, so quarters cannot be added
 * @property {number} restarts
 * @property {number | null} listAge in seconds; null if it is unknown
 */

const hour = 3_600_000;
/** The registry keeps so many days. */
const kept = 90;
/** In seconds: a station asks for its list at least this often, even on a poor line. */
const staleList = 600;

/**
 * What a station heard on a day, hour by hour.
 *
 * @param {string} path the station's
 */
export function coverage(path) {
  const texts = d.station;
  const [first, last] = [dayText(-kept + 1), dayText(0)];
  const field = h("input", {type: "date", value: last, min: first, max: last, required: true});
  const place = h("div", {class: "stack", "aria-live": "polite"});
  const show = async () => {
    await attempt(tools, async () => {
      const day = field.value;
      if (!day) return;
      const hours = await read(path, day);
      if (day === field.value) fill(place, ...drawn(hours, day === last));
    });
    earlier.disabled = field.value <= first;
    later.disabled = field.value >= last;
    // A disabled button loses the focus.
    const pressed = document.activeElement;
    if (pressed instanceof HTMLButtonElement && pressed.disabled) (pressed === later ? earlier : later).focus();
  };
  const go = (/** @type {number} */ days) => {
    const date = new Date(`${field.value || last}T12:00`);
    date.setDate(date.getDate() + days);
    const day = text(date);
    if (day < first || day > last) return;
    field.value = day;
    show();
  };
  field.addEventListener("change", show);
  const [earlier, later] = [button(texts.earlier, () => go(-1)), button(texts.later, () => go(1))];
  const tools = h("div", {class: "row end"}, labelled(texts.day, field), earlier, later);
  show();
  return part(texts.coverage, tools, place);
}

/** @param {number} days from today on */
function dayText(days) {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return text(date);
}

/** @param {Date} date */
function text(date) {
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * The hours of a day of this browser's time zone. The registry's days are of UTC.
 *
 * @param {string} path
 * @param {string} day
 * @returns {Promise<Hour[]>}
 */
async function read(path, day) {
  const begin = new Date(`${day}T00:00`);
  const end = new Date(begin);
  end.setDate(end.getDate() + 1);
  const days = [...new Set([begin, new Date(end.getTime() - 1)].map((time) => time.toISOString().slice(0, 10)))];
  const answers = await Promise.all(days.map((day) => call("GET", `${path}/coverage?day=${day}`)));
  /** @type {Hour[]} */
  const hours = [];
  for (let at = begin.getTime(); at < end.getTime(); at += hour)
    hours.push({begins: new Date(at), known: 0, listened: 0, adverts: 0, devices: 0, restarts: 0, listAge: 0});
  for (const quarter of answers.flatMap(({quarters}) => quarters)) {
    const place = hours[Math.floor((Date.parse(quarter.begins) - begin.getTime()) / hour)];
    if (place) add(quarter, place);
  }
  return hours;
}

/**
 * @param {Quarter} quarter
 * @param {Hour} hour
 */
function add({listened, adverts, devices, restarts, listAge}, hour) {
  hour.known++;
  hour.listened += listened;
  hour.adverts += adverts;
  hour.devices = Math.max(hour.devices, devices);
  hour.restarts += restarts;
  hour.listAge = listAge === undefined || hour.listAge === null ? null : Math.max(hour.listAge, listAge);
}

/**
 * @param {Hour[]} hours
 * @param {boolean} isToday
 */
function drawn(hours, isToday) {
  const texts = d.station;
  if (!hours.some(({known}) => known)) return [h("p", {class: "soft"}, isToday ? texts.nothingYet : texts.nothing)];
  const listened = hours.reduce((sum, hour) => sum + hour.listened, 0);
  const adverts = hours.reduce((sum, hour) => sum + hour.adverts, 0);
  const summary = texts.summary(duration(listened), number(adverts));
  const heads = [texts.hour, texts.listened, texts.adverts, texts.devices, texts.restarts, texts.listAge];
  const rows = hours.filter(({known}) => known).map((each) => row(heads, cells(each)));
  return [
    h("p", {}, summary), chart(hours, `${texts.chart}. ${summary}`), h("p", {class: "small soft"}, texts.key),
    h("details", {class: "card"}, h("summary", {}, texts.asTable), table(texts.coverage, heads, rows))
  ];
}

/**
 * @param {Hour[]} hours
 * @param {string} label
 */
function chart(hours, label) {
  const most = Math.max(1, ...hours.map(({adverts}) => adverts));
  const bars = (/** @type {(hour: Hour) => number} */ share, /** @type {(hour: Hour) => string} */ look) =>
      h("div", {class: "bars"}, hours.map((each) => {
        const bar =
            h("span",
              {class: `bar ${look(each)}`, title: `${clock(each.begins)}: ${cells(each).slice(1, 3).join(", ")}`});
        const fillings = h("i", {});
        fillings.style.height = `${Math.round(100 * Math.min(1, share(each)))}%`;
        bar.append(fillings);
        return bar;
      }));
  const marks = hours.map(({begins}, index) => h("span", {}, index % 3 ? "" : clock(begins)));
  return h(
      "div", {class: "chart", role: "img", "aria-label": label}, h("p", {class: "small soft"}, d.station.listened),
      bars(({listened}) => listened / 3600, tone), h("p", {class: "small soft"}, d.station.adverts),
      bars(({adverts}) => adverts / most, () => ""), h("div", {class: "bars marks small soft"}, marks));
}

/** @param {Hour} hour */
function tone({known, listened, listAge}) {
  if (!known) return "";
  if (!listened) return "deaf";
  return listAge === null || listAge > staleList ? "stale" : "";
}

/** @param {Hour} hour */
function cells({begins, known, listened, adverts, devices, restarts, listAge}) {
  const texts = d.station;
  if (!known) return [clock(begins), d.unknown, d.unknown, "", "", ""];
  if (!listened) return [clock(begins), texts.notAtAll, number(adverts), "", restarts ? number(restarts) : "", ""];
  return [
    clock(begins), duration(listened), number(adverts), number(devices), restarts ? number(restarts) : "",
    listAge === null ? d.unknown : duration(listAge)
  ];
}
