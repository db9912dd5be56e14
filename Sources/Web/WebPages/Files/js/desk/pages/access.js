import {all, call} from "../../api.js";
import {fill, h} from "../../dom.js";
import {ago, moment} from "../../format.js";
import {ask, askRemoval, copyable, labelled, values} from "../../parts.js";
import {canUsePasskeys} from "../../passkeys.js";
import {attempt} from "../../problems.js";
import {button, eachPage, part, row, since, table} from "../parts.js";
import {addPasskey, removePasskey, session} from "../session.js";
import {d} from "../text.js";

/** Who can act for the registry: operators, and one's own passkeys and signed-in browsers. */
export async function page() {
  const [passkeys, sessions, others] =
      await Promise.all([all("/v1/desk/passkeys"), all("/v1/desk/sessions?limit=100"), operators()]);
  const view =
      h("div", {class: "stack wide-gaps readable"}, h("h1", {}, d.access.title), ownPasskeys(passkeys),
        ownSessions(sessions), others);
  return {title: d.access.title, view};
}

function again() { dispatchEvent(new CustomEvent("page:go", {detail: "/desk/access"})); }

/** @param {any[]} items */
function ownPasskeys(items) {
  const texts = d.access;
  const list = h("ul", {class: "plain-list entries"}, items.map((item) => {
    const remove = () => askRemoval(texts.removePasskey(item.name), texts.removePasskeyLead, texts.remove, async () => {
      await removePasskey(item.id);
      again();
    });
    return h(
        "li", {class: "row between unbroken"},
        h("div", {}, item.name,
          h("p", {class: "small soft"}, item.lastUsed ? texts.used(ago(item.lastUsed)) : texts.neverUsed)),
        button(texts.remove, remove, {"aria-label": `${texts.remove}: ${item.name}`, class: "small-button"}));
  }));
  const place = h("div", {class: "stack"});
  const add = () => attempt(place, async () => {
    await addPasskey();
    again();
  });
  place.append(
      canUsePasskeys() ? h("div", {}, button(texts.addPasskey, add, items.length ? {} : {class: "primary"}))
                       : h("p", {class: "notice warn"}, texts.unsupported));
  return part(
      texts.passkeys, h("p", {class: "soft"}, texts.passkeysLead),
      items.length ? list : h("p", {class: "notice warn"}, texts.noPasskeys), place);
}

/** @param {any[]} items */
function ownSessions(items) {
  const texts = d.access;
  const section = part(texts.sessions, h("p", {class: "soft"}, texts.sessionsLead));
  const heading = section.querySelector("h2");
  const newest = [...items].sort(
      (one, other) => Number(other.current) - Number(one.current) || Date.parse(other.began) - Date.parse(one.began));
  const list = h("ul", {class: "plain-list entries"}, newest.map((item) => {
    const place = h("li", {class: "row between unbroken"});
    const end = () => askRemoval(texts.endTitle(item.name), texts.endLead, texts.endSession, async () => {
      await call("DELETE", `/v1/desk/sessions/${item.id}`);
      place.remove();
    }, heading);
    const method = texts.signedIn[/** @type {"passkey" | "token"} */ (item.signedIn)];
    const times = `${texts.began(`${moment(item.began)}, ${method}`)} · ${texts.used(ago(item.lastUsed))}`;
    const name = h("div", {class: "row"}, item.name, item.current && h("span", {class: "chip good"}, texts.here));
    place.append(
        h("div", {}, name, h("p", {class: "small soft"}, times)), item.current ? "" : button(texts.endSession, end, {
          "aria-label": `${texts.endSession}: ${item.name}, ${moment(item.began)}`,
          class: "small-button"
        }));
    return place;
  }));
  section.append(list);
  return section;
}

async function operators() {
  const texts = d.access;
  const own = (await session()).operator.id;
  const heads = [texts.name, texts.made, texts.state, ""];
  const list = table(texts.operators, heads, []);
  const more =
      await eachPage("/v1/operators", (item) => list.querySelector("tbody")?.append(operatorRow(heads, item, own)));
  return part(texts.operators, list, more, addOperator());
}

/**
 * @param {string[]} heads
 * @param {any} item
 * @param {string} own the identifier of who is signed in
 */
function operatorRow(heads, item, own) {
  const texts = d.access;
  const revoke = () => askRemoval(texts.revokeTitle(item.name), texts.revokeLead, texts.revoke, async () => {
    await call("DELETE", `/v1/operators/${item.id}`);
    again();
  });
  return row(heads, [
    item.id === own ? `${item.name} (${texts.you})` : item.name, since(item.created),
    item.revoked ? texts.revokedOn(moment(item.revoked)) : texts.active,
    item.revoked ? ""
                 : button(texts.revoke, revoke, {"aria-label": texts.revokeNamed(item.name), class: "small-button"})
  ]);
}

function addOperator() {
  const texts = d.access;
  const made = h("div", {class: "stack", "aria-live": "polite"});
  const add = () => {
    const name = labelled(texts.name, h("input", {name: "name", required: true, maxlength: 64, autocomplete: "off"}));
    ask(texts.add, [h("p", {class: "soft"}, texts.addLead), name], {text: texts.add}, async (form) => {
      const {details, token} = await call("POST", "/v1/operators", {body: values(form)});
      fill(made, h("p", {class: "notice good"}, texts.tokenOnce), copyable(texts.tokenFor(details.name), token));
    });
  };
  return h("div", {class: "stack"}, made, h("div", {}, button(texts.add, add)));
}
