import {h} from "./dom.js";
import {ask} from "./parts.js";
import {signedInMark} from "./session.js";

/** The address of the page that shows something that is never shown again; null if no page does. */
let heldAt = /** @type {string | null} */ (null);
/** @type {string | null} */
let heldFor = null;
let question = {title: "", lead: "", kept: ""};

/**
 * Warns before this page is left, until `release` is called.
 *
 * @param {{title: string, lead: string, kept: string}} asked what the person is asked then
 */
export function hold(asked) {
  question = asked;
  heldAt = location.pathname + location.search;
  heldFor = signedInMark();
  addEventListener("beforeunload", warn);
}

export function release() {
  heldAt = null;
  removeEventListener("beforeunload", warn);
  // Somebody else signed in meanwhile, in another window: the page must not act for them with what it shows of another.
  if (signedInMark() !== heldFor) location.replace("/my");
}

export function isHeld() { return heldAt !== null; }

/** Takes back what the Back button did, while the page is held. */
export function stay() { history.pushState(null, "", heldAt); }

/** @param {BeforeUnloadEvent} event */
function warn(event) { event.preventDefault(); }

/**
 * Whether the page may be left; asks the person if it is held.
 *
 * @returns {Promise<boolean>}
 */
export function mayLeave() {
  if (!isHeld()) return Promise.resolve(true);
  return new Promise((resolve) => {
    ask(question.title, [h("p", {class: "soft"}, question.lead)], {text: question.kept, isSecond: true}, async () => {
      release();
      resolve(true);
    }, () => resolve(false));
  });
}
