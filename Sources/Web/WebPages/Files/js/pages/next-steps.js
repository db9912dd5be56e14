import {all, call} from "../api.js";
import {fill, h} from "../dom.js";
import {distance} from "../format.js";
import {may} from "../parts.js";
import {policeNumber} from "../police.js";
import {t} from "../text.js";

import {turnOn} from "./turn-on.js";

/** @typedef {import("../parts.js").Bike} Bike */

/**
 * What an owner does after a report, beside a call to the police: first whether the owner is reached, then a photo and
 * friends.
 *
 * @param {Bike} bike
 * @param {string} base the report's path
 */
export async function nextSteps(bike, base) {
  const [owner, channels, stations] = await Promise.all([
    call("GET", "/v1/owner").catch(() => null), all("/v1/channels?limit=100").catch(() => null),
    call("GET", `${base}/stations`).catch(() => null)
  ]);
  const isReached = (channels ?? []).some((channel) => channel.verified);
  const reach = channels &&
      h("p", {class: isReached ? "soft" : "notice warn", role: "status"},
        isReached ? t.next.reached : t.bikes.alertsOff);
  const messages = channels && await turnOn(channels, (place) => {
                     place.remove();
                     if (!reach) return;
                     reach.className = "notice good";
                     fill(reach, t.next.messagesOn);
                   }, owner?.channelKinds);
  const buttons = [
    may(bike, "manage") && !bike.photo && h("button", {class: "wide", onclick: () => addPhoto()}, t.photos.add),
    !bike.role && h("button", {class: "wide", onclick: share}, t.share.title)
  ].filter(Boolean);
  return {
    reached: h(
        "section", {class: "stack"}, stations && h("p", {}, listening(stations)),
        stations?.odds && h("p", {class: "soft"}, t.next.odds(stations.odds.percentWithinDay, stations.odds.searches)),
        reach, messages),
    more: buttons.length ? [h("div", {class: "stack"}, buttons)] : []
  };
}

/** What the owner must not do, and the call that helps. */
export function callPolice() {
  const number = policeNumber();
  return h(
      "section", {class: "stack"}, h("p", {class: "notice warn"}, t.trail.advice),
      h("a", {class: "button alarm wide", href: `tel:${number}`}, t.next.police(number)));
}

/** @param {{listening: number, nearest?: number, partners?: number}} stations */
function listening({listening, nearest, partners}) {
  const others = partners ? t.next.partners(partners) : "";
  if (!listening) return others || t.next.nobody;
  return [t.next.listening(listening), nearest && t.next.nearest(distance(nearest)), others].filter(Boolean).join(" ");
}

/**
 * Opens the choice of a photo. The part with the photos may still be on its way.
 *
 * @param {number} [tries]
 */
function addPhoto(tries = 20) {
  const add = /** @type {HTMLElement | null} */ (document.querySelector("[data-part=photos] button.add"));
  if (add)
    add.click();
  else if (tries)
    setTimeout(addPhoto, 200, tries - 1);
}

function share() {
  const part = /** @type {HTMLDetailsElement | null} */ (document.querySelector("[data-part=shares]"));
  if (!part) return;
  part.open = true;
  part.scrollIntoView({block: "center"});
  part.querySelector("button")?.focus({preventScroll: true});
}
