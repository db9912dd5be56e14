import {create} from "../../api.js";
import {fill, h} from "../../dom.js";
import {moment} from "../../format.js";
import {copyable, labelled, values} from "../../parts.js";
import {attempt} from "../../problems.js";
import {number} from "../numbers.js";
import {loadPartnerTexts} from "../partner-texts.js";
import {eachPage, part, row, table} from "../parts.js";

/** @typedef {import("../../text/partners.js").Texts} Texts */

/** The registries whose stations search for this one's bikes, and the ways to become a partner. */
export async function page() {
  const texts = await loadPartnerTexts();
  const place = h("div", {class: "stack"});
  const draw = async () => fill(place, ...await list(texts));
  await draw();
  const view =
      h("div", {class: "stack wide-gaps"}, h("h1", {}, texts.title), h("p", {class: "lead"}, texts.lead),
        part(texts.partners, place), h("div", {class: "halves"}, invitation(texts, draw), acceptance(texts)));
  return {title: texts.title, view};
}

/** @param {Texts} texts */
async function list(texts) {
  const heads = [texts.nameHead, texts.state, texts.listed, texts.waiting, texts.stations];
  const partners = table(texts.partners, heads, []);
  const body = /** @type {HTMLElement} */ (partners.querySelector("tbody"));
  const more = await eachPage("/v1/partners", (item) => body.append(row(heads, [
    h("a", {href: `/desk/partners/${item.id}`}, item.name), stateChip(texts, item),
    item.list ? number(item.list.entries) : "", number(item.sent.waiting), number(item.received.stations)
  ])));
  return [body.childElementCount ? partners : h("p", {class: "soft"}, texts.none), more];
}

const tones = {
  active: "good",
  suspended: "bad",
  invited: "warn",
  renewal: "warn"
};

/**
 * @param {Texts} texts
 * @param {any} partner
 */
export function stateChip(texts, {state, renewal}) {
  const shown = /** @type {keyof typeof tones} */ (state === "active" && renewal ? "renewal" : state);
  return h("span", {class: `chip ${tones[shown]}`}, texts.states[shown]);
}

/** @param {Texts} texts */
function nameField(texts) {
  const field = h("input", {name: "name", required: true, maxlength: 32, autocomplete: "off"});
  return labelled(texts.name, field, texts.nameHint);
}

/**
 * @param {Texts} texts
 * @param {() => Promise<void>} changed
 */
function invitation(texts, changed) {
  const made = h("div", {class: "stack", "aria-live": "polite"});
  // Pressing the button again after a lost response sends the same request, unless the name was changed.
  let request = {name: "", key: ""};
  const form = h("form", {}, nameField(texts), h("button", {class: "primary"}, texts.inviteSubmit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {name} = values(form);
      if (request.name !== name) request = {name, key: crypto.randomUUID()};
      const {url, code, expires} = await create("/v1/partners/invitations", {name}, request.key);
      const command = `findmybike partner accept ${url} ${code} --name NAME-FOR-US`;
      fill(
          made,
          h("div", {class: "card kept-on-paper"}, h("h3", {}, name), copyable(texts.code, code),
            copyable(texts.command, command), h("p", {class: "small soft"}, texts.expires(moment(expires)))));
      form.reset();
      request = {name: "", key: ""};
      await changed();
    });
  });
  return part(texts.invite, h("p", {class: "soft"}, texts.inviteLead), made, form);
}

/** @param {Texts} texts */
function acceptance(texts) {
  // The other registry may have accepted without an answer: the same request is repeated.
  let request = {body: "", key: ""};
  const form =
      h("form", {},
        labelled(
            texts.address,
            h("input", {name: "url", type: "url", required: true, maxlength: 256, placeholder: "https://"})),
        labelled(
            texts.code,
            h("input",
              {name: "code", required: true, maxlength: 64, autocomplete: "off", spellcheck: "false", class: "mono"})),
        nameField(texts), h("button", {class: "primary"}, texts.acceptSubmit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const draft = values(form);
      const body = JSON.stringify(draft);
      if (request.body !== body) request = {body, key: crypto.randomUUID()};
      const partner = await create("/v1/partners", draft, request.key);
      dispatchEvent(new CustomEvent("page:go", {detail: `/desk/partners/${partner.id}`}));
    });
  });
  return part(texts.accept, h("p", {class: "soft"}, texts.acceptLead), form);
}
