import {call} from "../../api.js";
import {fill, h} from "../../dom.js";
import {moment} from "../../format.js";
import {ask, labelled, values} from "../../parts.js";
import {beaconText} from "../numbers.js";
import {button, eachPage, facts, part, since} from "../parts.js";
import {d} from "../text.js";

/**
 * @typedef {{id: string, received: string, text: string, beacon?: {uuid: string, major: number, minor: number}, owner?:
 * string, stopped?: string}} Request
 * @typedef {{bike: string, owner: string, beacon: {uuid: string, major: number, minor: number}, stop: {stopped: string,
 * reason?: string, objection: string}}} Objection
 */

/** What people who feel followed have written, the oldest first. */
export async function page() {
  const texts = d.safety;
  const title = h("h1", {}, texts.title);
  const none = h("p", {class: "notice good"}, texts.none);
  const list = h("ul", {class: "plain-list"});
  const closed = () => {
    none.hidden = list.childElementCount > 0;
    // The dialog gives the focus back to the button that is gone.
    setTimeout(() => title.focus());
  };
  const more = await eachPage("/v1/safety-requests", (item) => list.append(card(item, closed)));
  none.hidden = list.childElementCount > 0;
  const view =
      h("div", {class: "stack wide-gaps readable"}, title, h("p", {class: "lead"}, texts.lead), none, list, more,
        await objections());
  return {title: texts.title, view};
}

/** Owners' objections to stops, each with the two answers: allow the search, or say why not. */
async function objections() {
  const texts = d.objections;
  const none = h("p", {class: "soft"}, texts.none);
  const list = h("ul", {class: "plain-list"});
  const section = part(texts.title, h("p", {class: "soft"}, texts.lead), none, list);
  section.id = "objections";
  const update = () => none.hidden = list.childElementCount > 0;
  const more = await eachPage("/v1/objections", (/** @type {Objection} */ {bike, owner, beacon, stop}) => {
    const place = h("li", {class: "card"});
    const done = () => {
      place.remove();
      update();
      setTimeout(() => section.querySelector("h2")?.focus());
    };
    const answer = () => ask(
        texts.answerTitle,
        [labelled(
            d.safety.answer, h("textarea", {name: "text", required: true, maxlength: 500, rows: 5}), texts.answerHint)],
        {text: texts.answer}, async (form) => {
          await call("PUT", `/v1/objections/${bike}/answer`, {body: values(form)});
          done();
        });
    const allow = () => askAllow(beacon, done);
    place.append(
        facts([
          [d.reviews.beacon, h("span", {class: "mono"}, beaconText(beacon))],
          [d.safety.search, d.safety.stopped(moment(stop.stopped))], [d.reason, stop.reason]
        ]),
        h("blockquote", {}, lines(stop.objection)),
        h("div", {class: "row"}, h("a", {class: "button", href: `/desk/owners/${owner}`}, d.messages.seeOwner),
          button(d.safety.allow, allow), button(texts.answer, answer)));
    list.append(place);
  });
  section.append(more);
  update();
  return section;
}

/**
 * What a stranger wrote, as text, and what can be done.
 *
 * @param {Request} request
 * @param {() => void} closed
 */
function card(request, closed) {
  const texts = d.safety;
  const place = h("li", {class: "card"});
  const close = () =>
      ask(texts.closeTitle,
          [
            h("p", {class: "soft"}, texts.closeLead),
            labelled(texts.answer, h("textarea", {name: "answer", maxlength: 500, rows: 5}), texts.answerHint)
          ],
          {text: texts.close}, async (form) => {
            await call("PUT", `/v1/safety-requests/${request.id}/closure`, {body: values(form)});
            place.remove();
            closed();
          });
  const {beacon, owner, text} = request;
  place.append(
      h("p", {class: "small soft"}, since(request.received)), h("blockquote", {}, lines(text)),
      beacon ? about(beacon, request) : h("p", {class: "soft"}, texts.noBeacon),
      h("div", {class: "row"}, owner && h("a", {class: "button", href: `/desk/owners/${owner}`}, d.messages.seeOwner),
        button(texts.close, close)));
  return place;
}

/**
 * What the registry knows of a beacon, and the button that stops searches for it in one step.
 *
 * @param {NonNullable<Request["beacon"]>} beacon
 * @param {Request} request
 */
function about(beacon, {owner, stopped}) {
  const texts = d.safety;
  const place = h("div", {class: "stack", "aria-live": "polite"});
  const draw = (/** @type {string | undefined} */ since) => fill(
      place, facts([
        [d.reviews.beacon, h("span", {class: "mono"}, beaconText(beacon))],
        [texts.search,
         since       ? texts.stopped(moment(since))
             : owner ? texts.allowed
                     : texts.unknown]
      ]),
      owner || since ? h("div", {class: "row"},
                         since ? button(texts.allow, allow) : button(texts.stop, stop, {class: "outline-alarm"}))
                     : "");
  const stop = () => askStop(beacon, draw);
  const allow = () => askAllow(beacon, () => draw(undefined));
  draw(stopped);
  return place;
}

/** The reason for a stop, which its owner reads and can object to. */
export function stopReason() {
  return labelled(
      d.reason, h("textarea", {name: "reason", required: true, maxlength: 500, rows: 3}), d.safety.reasonHint);
}

/**
 * Asks for the reason, and stops searches for a beacon.
 *
 * @param {NonNullable<Request["beacon"]>} beacon
 * @param {(since: string) => void} done
 */
export function askStop(beacon, done) {
  const texts = d.safety;
  const path = `/v1/beacons/${encodeURIComponent(beaconText(beacon))}/stop`;
  ask(texts.stopTitle, [h("p", {class: "soft"}, texts.stopLead), stopReason()], {text: texts.stop, kind: "alarm"},
      async (form) => done((await call("PUT", path, {body: values(form)})).stopped));
}

/**
 * Asks before searches for a beacon are allowed again.
 *
 * @param {NonNullable<Request["beacon"]>} beacon
 * @param {() => void} done
 */
export function askAllow(beacon, done) {
  const texts = d.safety;
  ask(texts.allowTitle, [h("p", {class: "soft"}, texts.allowLead)], {text: texts.allow}, async () => {
    await call("DELETE", `/v1/beacons/${encodeURIComponent(beaconText(beacon))}/stop`);
    done();
  });
}

/** @param {string} text */
function lines(text) { return text.split("\n").map((line) => h("p", {}, line)); }
