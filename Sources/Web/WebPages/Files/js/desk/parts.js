import {ticking} from "../ages.js";
import {call} from "../api.js";
import {h} from "../dom.js";
import {ago, fullTime} from "../format.js";
import {attempt} from "../problems.js";

import {d} from "./text.js";

/** @typedef {import("../dom.js").Child} Child */

const tones = {
  listening: "good",
  deaf: "bad",
  silent: "bad",
  new: "warn",
  revoked: ""
};

/** @param {keyof typeof tones} state of a station */
export function stateChip(state) { return h("span", {class: `chip ${tones[state]}`}, d.states[state]); }

/**
 * How long ago something was; its full time on pointing at it.
 *
 * @param {string} time
 */
export function since(time) { return h("time", {datetime: time, title: fullTime(time)}, ticking(() => ago(time))); }

/**
 * A part of a page with a heading.
 *
 * @param {string} title
 * @param {...(Child | Child[])} children
 */
export function part(title, ...children) {
  const heading = h("h2", {tabindex: -1}, title);
  return h("section", {class: "stack"}, heading, ...children);
}

/**
 * A table; on a phone each row is a block with the column's head before each value.
 *
 * @param {string} caption
 * @param {string[]} heads
 * @param {HTMLElement[]} rows
 */
export function table(caption, heads, rows) {
  // The roles stay when the style sheet turns rows into blocks.
  return h(
      "table", {role: "table"}, h("caption", {class: "visually-hidden"}, caption),
      h("thead", {role: "rowgroup"}, h("tr", {role: "row"}, heads.map(head))), h("tbody", {role: "rowgroup"}, rows));
}

/** @param {string} text empty for the column of buttons */
function head(text) {
  const hidden = h("span", {class: "visually-hidden"}, d.actions);
  return h("th", {scope: "col", role: "columnheader"}, text || hidden);
}

/**
 * @param {string[]} heads
 * @param {(Child | Child[])[]} cells
 */
export function row(heads, cells) {
  return h("tr", {role: "row"}, cells.map((cell, index) => {
    const contents = [cell].flat().filter((child) => child || child === 0);
    if (!contents.length) return h("td", {role: "cell", class: "empty"});
    return h("td", {role: "cell", "data-head": heads[index]}, h("div", {}, contents));
  }));
}

/**
 * Facts with their names; those without a value are left out.
 *
 * @param {[string, Child][]} items
 */
export function facts(items) {
  return h(
      "dl", {class: "facts"},
      items.filter(([, value]) => value !== null && value !== undefined && value !== false)
          .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])
          .flat());
}

/**
 * The first page of a collection, and a button that shows the next one.
 *
 * @param {string} path
 * @param {(item: any) => void} add
 * @returns {Promise<HTMLElement>}
 */
export async function eachPage(path, add) {
  let cursor = /** @type {string | undefined} */ (undefined);
  const load = async () => {
    const query = new URLSearchParams({limit: "50", ...(cursor && {cursor})});
    const page = await call("GET", `${path}?${query}`);
    page.items.forEach(add);
    cursor = page.next;
    place.hidden = !cursor;
  };
  const place = h("div", {hidden: true});
  place.append(h("button", {onclick: () => attempt(place, load)}, d.more));
  await load();
  return place;
}

/**
 * A form with one field that opens what an identifier names.
 *
 * @param {string} label
 * @param {(id: string) => string} address
 */
export function lookUp(label, address) {
  const field = h("input", {
    name: "id",
    required: true,
    maxlength: 36,
    pattern: "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    title: d.audit.aboutNeedsID,
    autocomplete: "off",
    spellcheck: "false",
    class: "mono"
  });
  const form = h("form", {class: "line"}, h("label", {}, label, field), h("button", {}, d.show));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dispatchEvent(new CustomEvent("page:go", {detail: address(field.value.toLowerCase())}));
  });
  return form;
}

/**
 * A button for something that first asks, in its own place for a failure.
 *
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, any>} [attributes]
 */
export function button(text, act, attributes) {
  return h("button", {type: "button", onclick: act, ...attributes}, text);
}

/** @param {string} id the beginning of an identifier is enough for people to distinguish them */
export function short(id) { return h("span", {class: "mono", title: id}, `…${id.slice(-8)}`); }
