import {call} from "../../api.js";
import {fill, h} from "../../dom.js";
import {moment} from "../../format.js";
import {ask, labelled, values} from "../../parts.js";
import {attempt} from "../../problems.js";
import {beaconText, number} from "../numbers.js";
import {button, eachPage, lookUp, part, row, short, since, table} from "../parts.js";
import {d} from "../text.js";

import {decision, reasonField, reference} from "./owner.js";
import {askStop, stopReason} from "./safety.js";

/** What waits for an operator's decision, and the means against misuse. */
export async function page() {
  const [waiting, signs, wanted, known] = await Promise.all([references(), searches(), claims(), owners()]);
  const view =
      h("div", {class: "stack wide-gaps"}, h("h1", {}, d.reviews.title), waiting, signs, wanted, known, stop());
  return {title: d.reviews.title, view};
}

/**
 * A part with a table that grows page by page, or a sentence if there is nothing.
 *
 * @param {string} id of the part
 * @param {{title: string, lead: string, none: string, heads: string[]}} texts
 * @param {string} path
 * @param {(item: any, gone: (place: Element) => void) => HTMLElement} line
 */
async function listed(id, {title, lead, none, heads}, path, line) {
  const list = table(title, heads, []);
  const body = /** @type {HTMLElement} */ (list.querySelector("tbody"));
  const empty = h("p", {class: "soft"}, none);
  const section = part(title, h("p", {class: "soft readable"}, lead), empty, list);
  section.id = id;
  const update = () => {
    list.hidden = !body.childElementCount;
    empty.hidden = !list.hidden;
  };
  const gone = (/** @type {Element} */ place) => {
    place.remove();
    update();
    // The dialog gives the focus back to the button that is gone.
    setTimeout(() => section.querySelector("h2")?.focus());
  };
  section.append(await eachPage(path, (item) => body.append(line(item, gone))));
  update();
  return section;
}

function references() {
  const texts = d.references;
  const heads = [d.owner.opened, d.owner.reference, d.owner.searched, d.reviews.owner, ""];
  return listed("references", {...texts, heads}, "/v1/references", ({owner, report}, gone) => {
    /** @type {HTMLElement} */
    const place = row(heads, [
      moment(report.opened), reference(report), report.sightingsUntil ? moment(report.sightingsUntil) : "",
      ownerLink(owner), decision(report, () => gone(place))
    ]);
    return place;
  });
}

function searches() {
  const texts = d.searches;
  const heads = [d.owner.opened, texts.signs, d.reviews.beacon, d.owner.searched, d.reviews.owner, ""];
  const words = (/** @type {any} */ {reports, nights}, /** @type {keyof typeof texts.sign} */ sign) =>
      h("div", {},
        sign === "newBeacon"           ? texts.sign.newBeacon
            : sign === "reportedAgain" ? texts.sign.reportedAgain(reports)
                                       : texts.sign.nightsAtOnePlace(nights));
  return listed("searches", {...texts, heads}, "/v1/searches-to-check", (search, gone) => {
    const {owner, report, signs} = search;
    /** @type {HTMLElement} */
    const place = row(heads, [
      moment(report.opened), signs.map((/** @type {keyof typeof texts.sign} */ sign) => words(search, sign)),
      report.beacon ? h("span", {class: "mono"}, beaconText(report.beacon)) : "",
      report.sightingsUntil ? moment(report.sightingsUntil) : "", ownerLink(owner),
      report.beacon ? button(d.safety.stop, () => askStop(report.beacon, () => gone(place)), {class: "small-button"})
                    : ""
    ]);
    return place;
  });
}

function claims() {
  const texts = d.reviews;
  const heads = [texts.beacon, texts.created, texts.owner, texts.bike, ""];
  const words = {title: texts.claims, lead: texts.claimsLead, none: texts.noClaims, heads};
  return listed("claims", words, "/v1/claims", (claim, gone) => {
    const path = `/v1/claims/${claim.bike}`;
    const beacon = beaconText(claim.claimed);
    /** @type {HTMLElement} */
    const place = row(heads, [
      [h("span", {class: "mono"}, beacon), claim.taken && h("p", {class: "small fault"}, texts.taken)],
      since(claim.since), ownerLink(claim.owner), short(claim.bike),
      [
        !claim.taken &&
            button(texts.accept, () => accept(), {class: "small-button", "aria-label": `${texts.accept}: ${beacon}`}),
        " ", button(texts.refuse, () => refuse(), {class: "small-button", "aria-label": `${texts.refuse}: ${beacon}`})
      ]
    ]);
    const accept = () =>
        ask(texts.acceptTitle, [h("p", {class: "mono"}, beacon), h("p", {class: "soft"}, texts.acceptLead)],
            {text: texts.accept}, async () => {
              await call("PUT", `${path}/acceptance`, {body: {identity: claim.claimed}});
              gone(place);
            });
    const refuse = () => ask(
        texts.refuseTitle, [h("p", {class: "mono"}, beacon), h("p", {class: "soft"}, texts.refuseLead), reasonField()],
        {text: texts.refuse, kind: "alarm"}, async (form) => {
          await call("PUT", `${path}/refusal`, {body: values(form)});
          gone(place);
        });
    return place;
  });
}

async function owners() {
  const texts = d.reviews;
  const heads = [texts.owner, texts.unconfirmed, texts.reports, texts.active, texts.created, ""];
  const words = {title: texts.owners, lead: texts.ownersLead, none: texts.noOwners, heads};
  const section = await listed(
      "owners", words, "/v1/owners", (owner) => row(heads, [
                                       ownerLink(owner.id), number(owner.unconfirmed), number(owner.reports),
                                       owner.lastActive ? since(owner.lastActive) : d.never, since(owner.created),
                                       owner.suspended ? h("span", {class: "chip bad"}, texts.suspended) : ""
                                     ]));
  section.append(lookUp(texts.lookUp, (id) => `/desk/owners/${id}`));
  return section;
}

/** @param {string} id */
function ownerLink(id) { return h("a", {href: `/desk/owners/${id}`, class: "mono", title: id}, `…${id.slice(-8)}`); }

/** Stops a search for a beacon, or allows it again. */
function stop() {
  const texts = d.reviews;
  const result = h("div", {"aria-live": "polite"});
  const field = h("input", {
    name: "identity",
    required: true,
    maxlength: 60,
    autocomplete: "off",
    spellcheck: "false",
    class: "mono",
    pattern: "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}:[0-9]{1,5}:[0-9]{1,5}",
    title: texts.valuesWrong
  });
  const form =
      h("form", {class: "card readable"}, labelled(texts.values, field, texts.valuesHint), stopReason(),
        h("div", {class: "row"}, h("button", {class: "outline-alarm"}, texts.stopSubmit),
          h("button", {type: "button", onclick: () => allow()}, texts.allowSubmit)),
        result);
  const path = () => `/v1/beacons/${encodeURIComponent(field.value.trim())}/stop`;
  const allow = () => field.reportValidity() && attempt(form, async () => {
                        fill(result);
                        await call("DELETE", path());
                        fill(result, h("p", {class: "notice good"}, texts.allowed));
                      });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      fill(result);
      const {reason} = values(form);
      await call("PUT", path(), {body: {reason}});
      fill(result, h("p", {class: "notice good"}, texts.stopped));
    });
  });
  return part(texts.stop, h("p", {class: "soft readable"}, texts.stopLead), form);
}
