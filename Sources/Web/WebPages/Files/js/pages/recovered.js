import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {canUsePasskeys} from "../passkeys.js";
import {attempt} from "../problems.js";
import {saySaved} from "../saved.js";
import {addPasskey} from "../session.js";
import {loadTexts, t} from "../text.js";
import {load as loadRecoveredTexts, texts as recoveredTexts} from "../text/recovered.js";

import {lostDevices} from "./devices.js";

/** From this number of codes on, the page advises to make new ones. */
const few = 3;

/**
 * What somebody should do who has just signed in with a recovery code: probably the phone with the passkey is gone.
 *
 * @param {() => void} proceed
 * @returns {Promise<HTMLElement[]>}
 */
export async function recovered(proceed) {
  const [owner] = await Promise.all([call("GET", "/v1/owner"), loadRecoveredTexts(), loadTexts("more")]);
  const lost = await lostDevices();
  const texts = recoveredTexts();
  const left = owner.recoveryCodes;
  return [
    h("h1", {tabindex: -1}, texts.title),
    h("p", {class: left <= few ? "notice warn" : "lead"}, `${texts.used} ${left ? texts.left(left) : texts.leftNone}`,
      left <= few && [" ", h("a", {href: "/my/account"}, t.signUp.newCodes)]),
    ...(canUsePasskeys() ? [passkey()] : []),
    h("section", {class: "card"}, h("h2", {}, texts.lost), h("p", {class: "soft"}, lost ? texts.lostLead : texts.none),
      lost),
    h("button", {class: "wide", onclick: proceed}, texts.proceed),
  ];
}

function passkey() {
  const texts = recoveredTexts();
  const place = h("div", {class: "stack"});
  const add = () => attempt(place, async () => {
    await addPasskey();
    fill(place, h("p", {class: "notice good", role: "status"}, texts.added));
    saySaved();
  });
  fill(place, h("button", {class: "primary wide", onclick: add}, texts.add));
  return h("section", {class: "card"}, h("h2", {}, texts.addTitle), h("p", {class: "soft"}, texts.addLead), place);
}
