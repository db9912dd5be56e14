import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {moment} from "../format.js";
import {ask, askRemoval, copyable, labelled, values} from "../parts.js";
import {attempt} from "../problems.js";

import {button, part, row, since, table} from "./parts.js";
import {d} from "./text.js";

/**
 * @typedef {{id: string, name: string, created: string, paired?: string, lastUsed?: string, expires: string}} Display
 */

/**
 * The displays of a station: listed, added with a code for a screen, renamed, and removed.
 *
 * @param {string} station its path
 */
export function displays(station) {
  const texts = d.displays;
  const path = `${station}/displays`;
  const [list, made] = [h("div", {class: "stack"}), h("div", {class: "stack", "aria-live": "polite"})];
  const add = button(texts.add, () => askAdd(path, (code) => {
                                  fill(made, code);
                                  attempt(list, draw);
                                }));
  const draw = async () => {
    const {items} = await call("GET", path);
    const heads = [texts.name, texts.connected, texts.lastUsed, ""];
    const rows = items.map((/** @type {Display} */ item) => row(heads, [
                             item.name, item.paired ? since(item.paired) : texts.waiting(moment(item.expires)),
                             item.lastUsed ? since(item.lastUsed) : d.never, buttons(path, item, draw, add)
                           ]));
    fill(list, items.length ? table(texts.title, heads, rows) : h("p", {class: "soft"}, texts.none));
  };
  attempt(list, draw);
  return part(texts.title, h("p", {class: "soft"}, texts.lead), list, made, h("div", {}, add));
}

/**
 * @param {string} path
 * @param {(code: Node) => void} done
 */
function askAdd(path, done) {
  const texts = d.displays;
  const field = h("input", {name: "name", maxlength: 64, autocomplete: "off"});
  ask(texts.add, [labelled(texts.name, field, texts.nameHint)], {text: texts.make}, async (form) => {
    const made = await call("POST", path, {body: values(form)});
    done(
        h("div", {class: "card"}, h("p", {class: "notice good"}, texts.made(moment(made.expires))),
          made.link && copyable(texts.link, made.link), copyable(texts.code, made.code)));
  });
}

/**
 * @param {string} path
 * @param {Display} display
 * @param {() => Promise<void>} changed
 * @param {HTMLElement} next gets the focus after a removal
 */
function buttons(path, {id, name}, changed, next) {
  const texts = d.displays;
  const askRename = () =>
      ask(texts.renameTitle,
          [labelled(
              texts.name, h("input", {name: "name", value: name, required: true, maxlength: 64, autocomplete: "off"}),
              texts.nameHint)],
          {text: texts.rename}, async (form) => {
            await call("PUT", `${path}/${id}/name`, {body: values(form)});
            await changed();
          });
  const askRemove = () => askRemoval(texts.removeTitle(name), texts.removeLead, texts.remove, async () => {
    await call("DELETE", `${path}/${id}`);
    await changed();
  }, next);
  return [
    button(texts.rename, askRename, {class: "small-button", "aria-label": texts.renameNamed(name)}),
    button(texts.remove, askRemove, {class: "small-button outline-alarm", "aria-label": texts.removeNamed(name)})
  ];
}
