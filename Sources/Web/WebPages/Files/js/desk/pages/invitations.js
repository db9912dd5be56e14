import {call, create} from "../../api.js";
import {fill, h} from "../../dom.js";
import {moment} from "../../format.js";
import {askRemoval, copyable, labelled, values} from "../../parts.js";
import {attempt} from "../../problems.js";
import {t} from "../../text.js";
import {button, eachPage, part, row, since, table} from "../parts.js";
import {placeFields, placeFrom} from "../place.js";
import {d} from "../text.js";

/** Invitations of stations and owners. */
export async function page() {
  const texts = d.invitations;
  const place = h("div", {class: "stack wide-gaps"});
  const draw = async () => fill(place, ...await waiting(draw));
  await draw();
  const view =
      h("div", {class: "stack wide-gaps"}, h("h1", {}, texts.title),
        h("div", {class: "halves"}, station(draw), h("div", {class: "stack"}, owner())), place);
  return {title: texts.title, view};
}

/** @param {() => Promise<void>} changed */
function station(changed) {
  const texts = d.invitations;
  const made = h("div", {class: "stack", "aria-live": "polite"});
  // Pressing the button again after a lost response sends the same request, unless something was changed.
  let request = {body: "", key: ""};
  const place = h("div", {}, placeFields());
  const form = h(
      "form", {},
      labelled(
          texts.name, h("input", {name: "name", required: true, maxlength: 64, autocomplete: "off"}),
          d.station.nameHint),
      labelled(d.station.venue, h("input", {name: "venue", maxlength: 64, autocomplete: "off"}), texts.venueHint),
      place, h("label", {class: "check"}, h("input", {type: "checkbox", name: "mobile"}), h("span", {}, texts.mobile)),
      h("button", {class: "primary"}, texts.submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {name, venue, mobile, ...fields} = values(form);
      const draft = {name, place: placeFrom(fields), ...(venue && {venue}), ...(mobile && {mobile: true})};
      const body = JSON.stringify(draft);
      if (request.body !== body) request = {body, key: crypto.randomUUID()};
      const invitation = await create("/v1/invitations", draft, request.key);
      fill(made, ...code(name, invitation, `sudo findmybike-monitor enrol ${location.origin} ${invitation.code}`));
      form.reset();
      // The new invitation's place is none of the stations' yet.
      fill(place, placeFields());
      request = {body: "", key: ""};
      await changed();
    });
  });
  return part(texts.station, h("p", {class: "soft"}, texts.lead), made, form);
}

/**
 * A code that is shown once, to be copied or printed.
 *
 * @param {string} title
 * @param {{code: string, expires: string}} invitation
 * @param {string} [command]
 */
function code(title, {code, expires}, command) {
  const texts = d.invitations;
  return [h(
      "div", {class: "card kept-on-paper"}, h("h3", {}, title), copyable(texts.code, code),
      command ? copyable(texts.command, command) : h("p", {class: "small soft"}, texts.ownerHint),
      h("p", {class: "small soft"}, `${texts.made} ${texts.expires(moment(expires))}`),
      h("div", {}, button(t.print, () => print())))];
}

function owner() {
  const texts = d.invitations;
  const made = h("div", {class: "stack", "aria-live": "polite"});
  const place = h("div", {class: "stack"});
  let key = crypto.randomUUID();
  const make = () => attempt(place, async () => {
    const invitation = await create("/v1/owner-invitations", {}, key);
    key = crypto.randomUUID();
    fill(made, ...code(texts.owner, invitation));
  });
  place.append(h("div", {}, button(texts.ownerSubmit, make)));
  return part(texts.owner, h("p", {class: "soft"}, texts.ownerLead), made, place);
}

/**
 * The invitations that no station has accepted.
 *
 * @param {() => Promise<void>} changed
 */
async function waiting(changed) {
  const texts = d.invitations;
  const heads = [texts.name, d.station.venue, d.station.place, texts.created, texts.expiresHead, ""];
  const list = table(texts.waiting, heads, []);
  const body = /** @type {HTMLElement} */ (list.querySelector("tbody"));
  const more = await eachPage("/v1/invitations", (item) => body.append(row(heads, [
    item.name, item.venue, item.mobile ? d.station.mobile : `${item.place.latitude}, ${item.place.longitude}`,
    since(item.created), moment(item.expires), cancel(item, changed)
  ])));
  const isEmpty = !body.childElementCount;
  return [part(texts.waiting, isEmpty ? h("p", {class: "soft"}, texts.none) : list, more)];
}

/**
 * @param {{id: string, name: string}} item
 * @param {() => Promise<void>} changed
 */
function cancel({id, name}, changed) {
  const texts = d.invitations;
  const title = /** @type {HTMLElement | null} */ (document.querySelector("h1"));
  const ask = () => askRemoval(texts.cancelTitle(name), texts.cancelLead, texts.cancel, async () => {
    await call("DELETE", `/v1/invitations/${id}`);
    await changed();
  }, title);
  return button(texts.cancel, ask, {"aria-label": texts.cancelNamed(name), class: "small-button"});
}
