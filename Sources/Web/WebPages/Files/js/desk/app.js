import "../trusted.js";

import {Problem} from "../api.js";
import {fill, h} from "../dom.js";
import {problemText, whenSignedOut} from "../problems.js";
import {t} from "../text.js";

import {Frame} from "./frame.js";
import {forgetSession, session} from "./session.js";
import {d, loadTexts} from "./text.js";
import {look, unwatch, watch} from "./watch.js";

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {Node} view the contents of `main`, or a whole page if nobody is signed in
 * @property {((overview: import("./watch.js").Overview) => void)} [update] gets the registry's state each minute
 * @property {(() => void)} [leave] ends what the page started
 */

/**
 * The pages by the pattern of their path; the groups are the loader's arguments.
 *
 * @type {[RegExp, () => Promise<any>][]}
 */
const routes = [
  [/^\/desk$/, () => import("./pages/overview.js")],
  [/^\/desk\/sign-in$/, () => import("./pages/sign-in.js")],
  [/^\/desk\/stations$/, () => import("./pages/stations.js")],
  [/^\/desk\/stations\/([0-9a-f-]{36})$/, () => import("./pages/station.js")],
  [/^\/desk\/invitations$/, () => import("./pages/invitations.js")],
  [/^\/desk\/reviews$/, () => import("./pages/reviews.js")],
  [/^\/desk\/owners\/([0-9a-f-]{36})$/, () => import("./pages/owner.js")],
  [/^\/desk\/safety$/, () => import("./pages/safety.js")],
  [/^\/desk\/messages$/, () => import("./pages/messages.js")],
  [/^\/desk\/partners$/, () => import("./pages/partners.js")],
  [/^\/desk\/partners\/([0-9a-f-]{36})$/, () => import("./pages/partner.js")],
  [/^\/desk\/audit$/, () => import("./pages/audit.js")],
  [/^\/desk\/access$/, () => import("./pages/access.js")],
];

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {Page | null} */
let shown = null;
/** @type {Frame | null} */
let frame = null;
let shownAt = "";
let visit = 0;

/** Shows the page of the current address. */
async function show() {
  const number = ++visit;
  const path = location.pathname.replace(/(.)\/$/, "$1");
  const route = routes.find(([pattern]) => pattern.test(path));
  const groups = route ? (route[0].exec(path) ?? []).slice(1) : [];
  const isSigningIn = path === "/desk/sign-in";
  let page, current;
  try {
    [current, page] = await Promise.all(
        [isSigningIn ? null : session(), route ? route[1]().then((module) => module.page(...groups)) : missing()]);
  } catch (error) {
    if (number !== visit) return;
    if (error instanceof Problem && (error.status === 401 || error.kind === "forbidden")) return whenSignedOut();
    page = error instanceof Problem && error.status === 404 ? missing() : broken(error);
    current = await session().catch(() => null);
  }
  if (number !== visit) return page.leave?.();
  closeDialogs();
  shown?.leave?.();
  shown = page;
  shownAt = location.pathname + location.search;
  document.title = `${page.title} · FindMyBike`;
  if (current) {
    inFrame(current, path, page.view);
  } else {
    leaveFrame();
    fill(root, page.view);
  }
  root.querySelector("h1")?.setAttribute("tabindex", "-1");
}

/**
 * @param {import("./session.js").Session} current
 * @param {string} path
 * @param {Node} view
 */
function inFrame(current, path, view) {
  const isNew = !frame;
  frame ??= new Frame(current);
  frame.mark(path);
  fill(frame.main, view);
  if (!isNew) return;
  fill(root, frame.element);
  watch((overview) => {
    frame?.count(overview);
    shown?.update?.(overview);
  });
  look().catch(() => {});
}

function leaveFrame() {
  unwatch();
  frame = null;
}

/** @returns {Page} */
function missing() {
  return {title: d.title, view: h("div", {}, h("h1", {}, d.notFound), h("p", {class: "lead"}, d.notFoundHint))};
}

/**
 * @param {unknown} error
 * @returns {Page}
 */
function broken(error) {
  const retry = h("button", {class: "primary", onclick: show}, t.again);
  return {title: d.title, view: h("div", {class: "stack"}, h("p", {class: "notice warn"}, problemText(error)), retry)};
}

/** Removes everything from the document: somebody else may sit here now. */
function empty() {
  visit++;
  shown?.leave?.();
  shown = null;
  closeDialogs();
  leaveFrame();
  forgetSession();
  fill(root);
}

function closeDialogs() { document.querySelectorAll("dialog").forEach((dialog) => dialog.close()); }

/**
 * Goes to another page without loading the document again.
 *
 * @param {string} path
 */
async function go(path) {
  // Showing the same page again is no step for the Back button.
  if (new URL(path, location.href).href === location.href)
    history.replaceState(null, "", path);
  else
    history.pushState(null, "", path);
  scrollTo(0, 0);
  await show();
  const part = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  part?.scrollIntoView();
  // Otherwise people with screen readers would not learn that the page is another one.
  /** @type {HTMLElement | null} */ ((part ?? root).querySelector(part ? "h2" : "h1"))?.focus({preventScroll: true});
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || link.target ||
      link.hasAttribute("download") || link.getAttribute("href")?.startsWith("#"))
    return;
  if (link.origin !== location.origin || !routes.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
// A link to a part of the same page changes the address, too.
addEventListener("popstate", () => location.pathname + location.search === shownAt ? undefined : show());
// A page that the Back button takes from memory, or another window, may belong to somebody who has signed out since.
addEventListener("pagehide", (event) => event.persisted && empty());
addEventListener("pageshow", (event) => event.persisted && show());
addEventListener("storage", (event) => {
  if (event.key !== "atDesk" && event.key !== null) return;
  empty();
  show();
});
// In another language.
addEventListener("page:renew", async () => {
  await loadTexts();
  leaveFrame();
  await show();
});
addEventListener("page:go", (event) => go(/** @type {CustomEvent<string>} */ (event).detail));

// The texts and the page's own module arrive at the same time.
routes.find(([pattern]) => pattern.test(location.pathname))?.[1]().catch(() => {});
await loadTexts();
await show();
