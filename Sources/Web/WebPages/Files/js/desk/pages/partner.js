import {call} from "../../api.js";
import {h} from "../../dom.js";
import {localInput, moment} from "../../format.js";
import {ask, askRemoval, labelled, values} from "../../parts.js";
import {attempt, flash} from "../../problems.js";
import {number} from "../numbers.js";
import {loadPartnerTexts} from "../partner-texts.js";
import {button, facts, part, since} from "../parts.js";
import {d} from "../text.js";

import {stateChip} from "./partners.js";

/** @typedef {import("../../text/partners.js").Texts} Texts */

/**
 * A partner: its keys, limits and list, and what was exchanged.
 *
 * @param {string} id
 */
export async function page(id) {
  const texts = await loadPartnerTexts();
  const partner = await call("GET", `/v1/partners/${id}`);
  const {name, state, list, sent} = partner;
  const isInvited = state === "invited";
  const chip = stateChip(texts, partner);
  const view =
      h("div", {class: "stack wide-gaps"}, h("div", {class: "row between"}, h("h1", {}, name), chip), facts([
          [d.id, h("span", {class: "mono"}, id)],
          [texts.address, partner.url],
          [texts.key, keys(partner.fingerprints)],
          [texts.since, since(partner.created)],
          [texts.invitedUntil, partner.expires && moment(partner.expires)],
          [texts.renewedUntil, partner.renewal && moment(partner.renewal)],
          [texts.suspendedSince, partner.suspended && moment(partner.suspended)],
          [texts.list, list && listText(texts, list)],
          [texts.sent, !isInvited && texts.sentText(number(sent.stored), number(sent.ignored), number(sent.refused))],
          [texts.waiting, !isInvited && number(sent.waiting)],
          [texts.notSent, sent.failure],
          [texts.stations, !isInvited && number(partner.received.stations)],
        ]),
        !isInvited && h("p", {class: "soft"}, texts.compare),
        h("div", {class: "row"}, isInvited ? [] : suspension(texts, partner), removal(texts, partner),
          h("a", {class: "button", href: "/desk/audit?action=partner.joined"}, texts.audit)),
        !isInvited && limits(texts, partner));
  return {title: name, view};
}

/** @param {string} path */
function go(path) { dispatchEvent(new CustomEvent("page:go", {detail: path})); }

/** @param {string[]} fingerprints */
function keys(fingerprints) {
  if (!fingerprints.length) return null;
  return h("span", {}, fingerprints.map((key) => h("div", {class: "mono"}, key)));
}

/**
 * @param {Texts} texts
 * @param {any} list
 */
function listText(texts, {entries, checked, failure}) {
  const confirmed = checked && texts.confirmed(number(entries), moment(checked));
  return h("span", {}, confirmed, failure && h("div", {class: "small"}, texts.notRead(failure)));
}

/** @param {Texts} texts */
function quarantineField(texts) {
  const time = h("input", {type: "datetime-local", name: "quarantineSince", max: localInput(new Date())});
  return labelled(texts.quarantine, time, texts.quarantineHint);
}

/** @param {HTMLFormElement} form the address's end for the time from which sightings are disputed */
function query(form) {
  const {quarantineSince} = values(form);
  return quarantineSince ? `?quarantineSince=${encodeURIComponent(new Date(quarantineSince).toISOString())}` : "";
}

/**
 * @param {Texts} texts
 * @param {any} partner
 */
function suspension(texts, {id, name, state}) {
  const path = `/v1/partners/${id}`;
  if (state === "suspended") {
    const resume = () =>
        ask(texts.resumeTitle(name), [h("p", {class: "soft"}, texts.resumeLead)], {text: texts.resume}, async () => {
          await call("PATCH", path, {body: {suspended: false}});
          go(`/desk/partners/${id}`);
        });
    return button(texts.resume, resume);
  }
  const suspend = () =>
      ask(texts.suspendTitle(name), [h("p", {class: "soft"}, texts.suspendLead), quarantineField(texts)],
          {text: texts.suspend, kind: "alarm"}, async (form) => {
            await call("PATCH", path + query(form), {body: {suspended: true}});
            go(`/desk/partners/${id}`);
          });
  return button(texts.suspend, suspend, {class: "outline-alarm"});
}

/**
 * @param {Texts} texts
 * @param {any} partner
 */
function removal(texts, {id, name, state}) {
  const path = `/v1/partners/${id}`;
  if (state === "invited") {
    const cancel = () => askRemoval(texts.cancelTitle(name), texts.cancelLead, texts.cancel, async () => {
      await call("DELETE", path);
      go("/desk/partners");
    });
    return button(texts.cancel, cancel, {class: "outline-alarm"});
  }
  const remove = () =>
      ask(texts.removeTitle(name), [h("p", {class: "soft"}, texts.removeLead), quarantineField(texts)],
          {text: texts.remove, kind: "alarm", isSecond: true}, async (form) => {
            await call("DELETE", path + query(form));
            go("/desk/partners");
          });
  return button(texts.remove, remove, {class: "outline-alarm"});
}

/**
 * @param {Texts} texts
 * @param {any} partner
 */
function limits(texts, {id, limits}) {
  const submit = h("button", {}, texts.save);
  const field = (/** @type {"listed" | "visits"} */ name) =>
      h("input", {type: "number", name, min: 0, max: 1_000_000, step: 1, required: true, value: limits[name]});
  const form =
      h("form", {class: "card"},
        h("div", {class: "pair"}, labelled(texts.mostListed, field("listed")),
          labelled(texts.mostVisits, field("visits"))),
        h("div", {class: "row"}, submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {listed, visits} = values(form);
      const body = {limits: {listed: Number(listed), visits: Number(visits)}};
      await call("PATCH", `/v1/partners/${id}`, {body});
      flash(submit, texts.saved);
    });
  });
  return part(texts.limits, h("p", {class: "soft"}, texts.limitsHint), form);
}
