import {h} from "../dom.js";
import {fullDate} from "../format.js";
import {labelled} from "../parts.js";
import {load as loadUpkeepTexts, texts as upkeepTexts} from "../text/upkeep.js";

/**
 * @typedef {{inspectionDue?: string, insuranceEnds?: string, taxDue?: string, breakdownCoverEnds?: string,
 * breakdownCoverNumber?: string, battery?: string, batteryFitted?: string, batteryMonths?: number}} Upkeep
 */

const dates = /** @type {const} */ (["inspectionDue", "insuranceEnds", "taxDue", "breakdownCoverEnds"]);
const names = /** @type {const} */ ([...dates, "breakdownCoverNumber", "battery", "batteryFitted", "batteryMonths"]);
/** The types of batteries, by their trade names. */
const batteries = ["CR2032", "CR2450", "CR2477", "AAA", "AA"];

/**
 * The fields of a form for the dates of which the owner is reminded.
 *
 * @param {Upkeep} [upkeep]
 */
export function upkeepFields(upkeep = {}) {
  const texts = upkeepTexts();
  const date = (/** @type {"taxDue" | "batteryFitted"} */ name) =>
      labelled(texts[name], h("input", {type: "date", name, value: upkeep[name] ?? ""}));
  const battery = h("select", {name: "battery"}, [
    ["", texts.noBattery], ...batteries.map((type) => [type, type]), ["other", texts.otherBattery]
  ].map(([value, text]) => h("option", {value, selected: value === (upkeep.battery ?? "")}, text)));
  const months = h("input", {
    name: "batteryMonths",
    type: "number",
    inputmode: "numeric",
    min: 1,
    max: 120,
    value: upkeep.batteryMonths ?? ""
  });
  return h(
      "details", {}, h("summary", {}, texts.title),
      h("div", {class: "stack"}, h("p", {class: "hint"}, texts.lead),
        h("div", {class: "tiles"}, dates.map((name) => date(/** @type {"taxDue"} */ (name)))),
        labelled(
            texts.breakdownCoverNumber, h("input", {
              name: "breakdownCoverNumber",
              maxlength: 64,
              autocomplete: "off",
              value: upkeep.breakdownCoverNumber ?? ""
            }),
            texts.breakdownHint),
        h("div", {class: "tiles"}, labelled(texts.battery, battery), date("batteryFitted")),
        labelled(texts.batteryMonths, months, texts.batteryHint)));
}

/**
 * Takes the dates out of a form's values.
 *
 * @param {Record<string, any>} values
 * @returns {{upkeep: Record<string, any>, rest: Record<string, any>}} `upkeep` without what is blank
 */
export function takeUpkeep(values) {
  const isDate = (/** @type {string} */ name) => names.includes(/** @type {any} */ (name));
  const entries = Object.entries(values);
  const upkeep = Object.fromEntries(entries.filter(([name]) => isDate(name)));
  if (upkeep.batteryMonths) upkeep.batteryMonths = Number(upkeep.batteryMonths);
  return {upkeep, rest: Object.fromEntries(entries.filter(([name]) => !isDate(name)))};
}

/** A patch that removes all dates. */
export function noUpkeep() { return Object.fromEntries(names.map((name) => [name, null])); }

/**
 * The dates as rows of a list of names and values; values may be absent.
 *
 * @param {Upkeep} upkeep
 * @returns {Promise<[string, import("../dom.js").Child][]>}
 */
export async function upkeepRows(upkeep) {
  await loadUpkeepTexts();
  const texts = upkeepTexts();
  // A date without a time belongs to no zone.
  const day = (/** @type {string | undefined} */ date) => date && fullDate(`${date}T12:00:00Z`, "UTC");
  const {battery, batteryFitted, batteryMonths} = upkeep;
  const about = [
    battery === "other" ? texts.otherBattery : battery, day(batteryFitted), batteryMonths && texts.months(batteryMonths)
  ].filter(Boolean);
  return [
    ...dates.map((name) => /** @type {[string, string | undefined]} */ ([texts[name], day(upkeep[name])])),
    [texts.breakdownCoverNumber, upkeep.breakdownCoverNumber && callable(upkeep.breakdownCoverNumber)],
    [texts.battery, about.join(", ")],
  ];
}

/**
 * A telephone number as a link that calls it; other text, such as a policy's number, as it is.
 *
 * @param {string} text
 */
function callable(text) {
  return /^\+?[0-9][0-9 ()/-]{4,}$/.test(text) ? h("a", {href: `tel:${text.replace(/[^+0-9]/g, "")}`}, text) : text;
}
