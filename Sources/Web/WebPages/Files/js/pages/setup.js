import {all, call} from "../api.js";
import {fill, h} from "../dom.js";
import {load as loadSetupTexts, texts as setupTexts} from "../text/setup.js";

import {beaconTest} from "./beacon-test.js";
import {turnOn} from "./turn-on.js";

/** @typedef {import("../parts.js").Bike} Bike */

/**
 * The preparations for a theft, as a list of steps that shows which are done. It is open until all are done.
 *
 * @param {Bike} bike
 * @param {Promise<HTMLElement>} found the part with the bike's photos
 * @returns {Promise<HTMLElement | null>} null without a connection
 */
export async function setup(bike, found) {
  const [channels, owner] = await Promise.all(
      [all("/v1/channels?limit=100").catch(() => null), call("GET", "/v1/owner").catch(() => null), loadSetupTexts()]);
  if (!channels) return null;
  const texts = setupTexts();
  const summary = h("summary", {});
  const list = h("ol", {class: "checklist"});
  const count = () => {
    const done = list.querySelectorAll(":scope > .done").length;
    const all = list.childElementCount;
    fill(summary, done === all ? texts.ready : texts.title(done, all));
    return done === all;
  };
  const add = (/** @type {string} */ title, /** @type {boolean} */ isDone, /** @type {any[]} */...parts) => {
    const mark = h("span", {class: "visually-hidden"});
    const item = h("li", {}, h("h2", {}, title, mark), h("div", {class: "stack"}, parts));
    const set = (/** @type {boolean} */ isDone) => {
      item.classList.toggle("done", isDone);
      fill(mark, isDone && ` (${texts.done})`);
      if (list.contains(item)) count();
    };
    set(isDone);
    list.append(item);
    return set;
  };
  const hint = (/** @type {string} */ text) => h("p", {class: "small soft open-only"}, text);
  if (bike.rotation) {
    add(texts.test, false, h("p", {class: "small soft"}, texts.rotating));
  } else {
    const isHeard = Boolean(bike.test?.heard);
    const setBeacon = add(texts.beacon, isHeard, hint(texts.beaconOpen), valuesLink());
    /** @type {((isDone: boolean) => void) | null} */
    let setTest = null;
    const test = bike.pending ? h("p", {class: "small soft"}, texts.proof) : beaconTest(bike, (heard) => {
      setBeacon(heard);
      setTest?.(heard);
    });
    setTest = add(texts.test, isHeard, test);
  }
  const isReached = channels.some((channel) => channel.verified);
  const turning = await turnOn(channels, (place) => {
    place.remove();
    setMessages(true);
  }, owner?.channelKinds);
  const setMessages =
      add(texts.messages, isReached, hint(texts.messagesOpen), !isReached && turning,
          // Advice in place of the button leads there itself.
          !(turning instanceof HTMLParagraphElement) &&
              h("p", {class: "open-only"}, h("a", {class: "small", href: "/my/account"}, texts.otherWays)));
  addPhotoStep(add, await found);
  const hasEngine = bike.kind === "motorbike" || bike.kind === "scooter";
  const isNumbered = Boolean(bike.serial || bike.vin || (hasEngine && bike.engineNumber));
  add(hasEngine ? texts.engineNumber : texts.number, isNumbered, hint(texts.numberOpen),
      h("a", {class: "button open-only", href: `/my/bikes/${bike.id}/edit`}, texts.enter));
  return h("details", {class: "card", open: !count(), "data-part": "setup"}, summary, list);
}

/**
 * @param {(title: string, isDone: boolean, ...parts: any[]) => (isDone: boolean) => void} add
 * @param {HTMLElement} photos
 */
function addPhotoStep(add, photos) {
  const texts = setupTexts();
  const shown = () => photos.querySelector(".photos li") !== null;
  const button =
      h("button", {
        type: "button",
        class: "open-only",
        onclick: () => /** @type {HTMLElement | null} */ (photos.querySelector("button.add"))?.click()
      },
        texts.choosePhoto);
  const set = add(texts.photo, shown(), h("p", {class: "small soft open-only"}, texts.photoOpen), button);
  new MutationObserver(() => set(shown())).observe(photos, {childList: true, subtree: true});
}

/** Leads to the beacon's values, which are further down. */
function valuesLink() {
  const show = () => {
    const part = /** @type {HTMLDetailsElement | null} */ (document.querySelector("[data-part=beacon]"));
    if (!part) return;
    part.open = true;
    part.scrollIntoView({block: "start"});
    part.querySelector("summary")?.focus({preventScroll: true});
  };
  return h("button", {type: "button", class: "open-only", onclick: show}, setupTexts().beaconLink);
}
