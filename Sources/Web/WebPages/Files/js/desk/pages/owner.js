import {call} from "../../api.js";
import {h} from "../../dom.js";
import {moment} from "../../format.js";
import {ask, askRemoval, labelled, values} from "../../parts.js";
import {attempt, flash} from "../../problems.js";
import {beaconText, number} from "../numbers.js";
import {button, facts, part, row, since, table} from "../parts.js";
import {d} from "../text.js";

import {askAllow} from "./safety.js";

/**
 * An owner as operators see it: counts, dates and references, never sightings.
 *
 * @param {string} id
 */
export async function page(id) {
  const review = await call("GET", `/v1/owners/${id}`);
  const {owner, bikes, quotas, exceptions, reports} = review;
  const texts = d.owner;
  const title = texts.title(`…${id.slice(-8)}`);
  const view =
      h("div", {class: "stack wide-gaps"},
        h("div", {class: "row between"}, h("h1", {}, title),
          owner.verified && h("span", {class: "chip good"}, texts.verified),
          owner.suspended && h("span", {class: "chip bad"}, d.reviews.suspended)),
        owner.suspended && h("p", {class: "notice alarm-note"}, texts.suspendedSince(moment(owner.suspended))), facts([
          [d.id, h("span", {class: "mono"}, id)],
          [d.reviews.created, since(owner.created)],
          [d.reviews.active, owner.lastActive ? since(owner.lastActive) : d.never],
          [texts.bikes, number(bikes)],
          [d.reviews.reports, number(owner.reports)],
          [d.reviews.unconfirmed, number(owner.unconfirmed)],
        ]),
        h("div", {class: "row"}, suspension(id, Boolean(owner.suspended)), verification(id, Boolean(owner.verified)),
          h("a", {class: "button", href: `/desk/audit?owner=${id}`}, texts.audit)),
        reportList(id, reports), quotaForm(id, quotas, exceptions ?? {}));
  return {title, view};
}

/** @param {string} id */
function again(id) { dispatchEvent(new CustomEvent("page:go", {detail: `/desk/owners/${id}`})); }

/** The reason that a person gives to an owner, for a dialog. */
export function reasonField() {
  return labelled(d.reason, h("textarea", {name: "reason", maxlength: 500, rows: 3}), d.reasonHint);
}

/**
 * @param {string} id
 * @param {boolean} isSuspended
 */
function suspension(id, isSuspended) {
  const texts = d.owner;
  const path = `/v1/owners/${id}/suspension`;
  if (isSuspended) {
    const resume = () =>
        ask(texts.resumeTitle, [h("p", {class: "soft"}, texts.resumeLead)], {text: texts.resume}, async () => {
          await call("DELETE", path);
          again(id);
        });
    return button(texts.resume, resume);
  }
  const suspend = () =>
      ask(texts.suspendTitle, [h("p", {class: "soft"}, texts.suspendLead), reasonField()],
          {text: texts.suspend, kind: "alarm"}, async (form) => {
            await call("PUT", path, {body: values(form)});
            again(id);
          });
  return button(texts.suspend, suspend, {class: "outline-alarm"});
}

/**
 * @param {string} id
 * @param {boolean} isVerified
 */
function verification(id, isVerified) {
  const texts = d.owner;
  const path = `/v1/owners/${id}/verification`;
  const change = (/** @type {string} */ method) => async () => {
    await call(method, path);
    again(id);
  };
  return isVerified
      ? button(
            texts.unverify, () => askRemoval(texts.unverifyTitle, texts.unverifyLead, texts.unverify, change("DELETE")))
      : button(
            texts.verify,
            () => ask(
                texts.verifyTitle, [h("p", {class: "soft"}, texts.verifyLead)], {text: texts.verify}, change("PUT")));
}

/** @param {any} report */
function beacon(report) {
  const name = h("span", {class: "mono"}, beaconText(report.beacon));
  return report.rotating ? [name, h("div", {class: "small soft"}, d.owner.rotating)] : name;
}

/**
 * @param {string} owner
 * @param {any[]} reports
 */
function reportList(owner, reports) {
  const texts = d.owner;
  const heads = [texts.opened, d.reviews.beacon, texts.reference, texts.closed, texts.searched, ""];
  const rows = reports.map((report) => row(heads, [
                             moment(report.opened), report.beacon ? beacon(report) : "",
                             report.policeReference ? reference(report) : h("span", {class: "soft"}, texts.noReference),
                             report.closed ? moment(report.closed) : texts.running,
                             searchedUntil(report, () => again(owner)), decision(report, () => again(owner))
                           ]));
  return part(
      texts.reports, rows.length ? table(texts.reports, heads, rows) : h("p", {class: "soft"}, texts.noReports));
}

/** @param {any} report */
export function reference({policeReference, policeForce}) {
  return [policeReference, policeForce && h("div", {class: "small soft"}, policeForce)].filter(Boolean);
}

/**
 * @param {any} report
 * @param {() => void} done
 */
function searchedUntil({beacon, closed, confirmed, sightingsUntil, stopped}, done) {
  const texts = d.owner;
  if (stopped && beacon) {
    const allow = button(d.safety.allow, () => askAllow(beacon, done), {class: "small-button"});
    return [h("span", {class: "chip bad"}, texts.stoppedChip), " ", allow];
  }
  if (closed) return "";
  return confirmed ? texts.untilClosed : sightingsUntil ? moment(sightingsUntil) : "";
}

/**
 * What an operator can do with a report's reference.
 *
 * @param {any} report
 * @param {() => void} done
 * @returns {import("../parts.js").Child | import("../parts.js").Child[]}
 */
export function decision({id, policeReference, confirmed}, done) {
  const texts = d.owner;
  const path = `/v1/reports/${id}/confirmation`;
  if (!policeReference) return "";
  if (confirmed) {
    const withdraw = () =>
        askRemoval(texts.withdrawTitle(policeReference), texts.withdrawLead, texts.withdraw, async () => {
          await call("DELETE", path);
          done();
        });
    return [
      h("span", {class: "chip good"}, texts.confirmed), " ",
      button(texts.withdraw, withdraw, {class: "small-button", "aria-label": `${texts.withdraw}: ${policeReference}`})
    ];
  }
  const confirm = () =>
      ask(texts.confirmTitle(policeReference), [h("p", {class: "soft"}, texts.confirmLead)], {text: texts.confirm},
          async () => {
            await call("PUT", path, {body: {policeReference}});
            done();
          });
  return button(texts.confirm, confirm, {class: "small-button", "aria-label": `${texts.confirm}: ${policeReference}`});
}

/**
 * Only what was typed is set for this owner; an empty field shows what the registry's settings allow.
 *
 * @param {string} id
 * @param {Record<string, number>} quotas
 * @param {Record<string, number>} exceptions
 */
function quotaForm(id, quotas, exceptions) {
  const texts = d.owner;
  const names = /** @type {const} */ (["bikes", "channels", "tokens", "openReports", "photos"]);
  const submit = h("button", {}, texts.save);
  const fields = names.map((name) => {
    const value = exceptions[name];
    const placeholder = value === undefined ? quotas[name] : undefined;
    return h("input", {type: "number", name, min: 0, max: 100_000, step: 1, value, placeholder});
  });
  const form =
      h("form", {class: "card"},
        h("div", {class: "pair"}, fields.map((field, index) => labelled(texts.quotaNames[names[index]], field))),
        h("div", {class: "row"}, submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const entered = Object.entries(values(form)).map(([name, value]) => [name, Number(value)]);
      const review = await call("PUT", `/v1/owners/${id}/quotas`, {body: Object.fromEntries(entered)});
      fields.forEach((field, index) => (field.placeholder = field.value ? "" : String(review.quotas[names[index]])));
      flash(submit, texts.saved);
    });
  });
  return part(texts.quotas, h("p", {class: "soft"}, texts.quotasHint), form);
}
