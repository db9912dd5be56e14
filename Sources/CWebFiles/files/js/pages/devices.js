import {all, call} from "../api.js";
import {h} from "../dom.js";
import {ago} from "../format.js";
import {attempt} from "../problems.js";
import {addPasskey, canUsePasskeys} from "../session.js";
import {t} from "../text.js";

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
                dispatchEvent(new CustomEvent("page:go", {detail: "/my/account"}));
              })
        },
          t.account.addPasskey));
  return h(
      "section", {class: "stack"}, group(t.account.sessions, sessions, "/v1/sessions"),
      group(t.account.passkeys, passkeys, "/v1/passkeys", canUsePasskeys() && add),
      group(t.account.tokens, tokens, "/v1/owner/tokens"));
}

/**
 * @param {string} title
 * @param {any[]} items
 * @param {string} path
 * @param {HTMLElement | false} [more]
 */
function group(title, items, path, more) {
  return h(
      "details", {class: "card"}, h("summary", {}, `${title} (${items.length})`),
      h("ul", {class: "plain-list"}, items.map((item) => row(item, path))), more);
}

/**
 * @param {any} item
 * @param {string} path
 */
function row(item, path) {
  const place = h("li", {class: "row between"});
  place.append(
      h("div", {}, item.name,
        h("p", {class: "small soft"},
          item.current ? t.account.thisDevice : t.account.lastUsed(ago(item.lastUsed ?? item.created)))),
      item.current ? ""
                   : h("button", {
                       onclick: () => attempt(
                           place,
                           async () => {
                             await call("DELETE", `${path}/${item.id}`);
                             place.remove();
                           })
                     },
                       t.remove));
  return place;
}
