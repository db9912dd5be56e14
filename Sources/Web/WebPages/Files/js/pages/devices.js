import {all, call} from "../api.js";
import {fill, h} from "../dom.js";
import {ago} from "../format.js";
import {askRemoval} from "../parts.js";
import {canUsePasskeys} from "../passkeys.js";
import {attempt} from "../problems.js";
import {renewPage} from "../saved.js";
import {addPasskey} from "../session.js";
import {t} from "../text.js";

/** @typedef {{title: (name: string) => string, lead: string, submit: string}} Question */

/** What can act for the owner: signed-in browsers, passkeys and tokens. Each can be ended. */
export async function devices() {
  const [sessions, passkeys, tokens] = await Promise.all(
      ["/v1/sessions?limit=100", "/v1/passkeys", "/v1/owner/tokens?limit=100"].map((path) => all(path)));
  const add =
      h("div", {},
        h("button", {
          onclick: () => attempt(
              add,
              async () => {
                await addPasskey();
                renewPage();
              })
        },
          t.account.addPasskey));
  return h(
      "section", {class: "stack"}, group(t.account.sessions, sessions, "/v1/sessions", t.sure.session),
      group(t.account.passkeys, passkeys, "/v1/passkeys", t.sure.passkey, canUsePasskeys() && add),
      tokens.length > 0 && group(t.account.tokens, tokens, "/v1/owner/tokens", t.sure.token));
}

/** The other signed-in browsers and the passkeys, one of which may be lost; null if there are none. */
export async function lostDevices() {
  const place = h("div", {class: "stack"});
  const draw = async () => {
    const [sessions, passkeys] = await Promise.all(["/v1/sessions?limit=100", "/v1/passkeys"].map((path) => all(path)));
    const others = sessions.filter((session) => !session.current);
    // A passkey takes the browsers that it signed in with it, so both are read again.
    const groups = [
      ...(passkeys.length ? [group(t.account.passkeys, passkeys, "/v1/passkeys", t.sure.passkey, false, draw)] : []),
      ...(others.length ? [group(t.account.sessions, others, "/v1/sessions", t.sure.session, false, draw)] : []),
    ];
    for (const part of groups) part.open = true;
    fill(place, ...groups);
  };
  await draw();
  return place.childElementCount ? place : null;
}

/**
 * Items whose names differ: of several with the same name, all but the first get a number.
 *
 * @param {any[]} items
 */
function distinct(items) {
  const counts = new Map();
  return items.map((item) => {
    const count = (counts.get(item.name) ?? 0) + 1;
    counts.set(item.name, count);
    return count === 1 ? item : {...item, name: `${item.name} (${count})`};
  });
}

/**
 * @param {string} title
 * @param {any[]} items
 * @param {string} path
 * @param {Question} question
 * @param {HTMLElement | false} [more]
 * @param {() => Promise<void>} [changed] called after a removal
 */
function group(title, items, path, question, more, changed) {
  const summary = h("summary", {}, `${title} (${items.length})`);
  const removed = () => {
    const left = list.childElementCount;
    fill(summary, `${title} (${left})`);
    changed?.();
  };
  const list =
      h("ul", {class: "plain-list"}, distinct(items).map((item) => row(item, path, question, summary, removed)));
  return h("details", {class: "card"}, summary, list, more);
}

/**
 * @param {any} item
 * @param {string} path
 * @param {Question} question
 * @param {HTMLElement} summary gets the focus after a removal
 * @param {() => void} removed
 */
function row(item, path, question, summary, removed) {
  const place = h("li", {class: "row between"});
  place.append(
      h("div", {}, item.name,
        h("p", {class: "small soft"},
          item.current ? t.account.thisDevice : t.account.lastUsed(ago(item.lastUsed ?? item.created)))),
      item.current ? ""
                   : h("button", {
                       "aria-label": `${question.submit}: ${item.name}`,
                       onclick: () => askRemoval(
                           question.title(item.name), question.lead, question.submit,
                           async () => {
                             await call("DELETE", `${path}/${item.id}`);
                             place.remove();
                             removed();
                           },
                           summary)
                     },
                       question.submit));
  return place;
}
