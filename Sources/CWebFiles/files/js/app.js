import "./trusted.js";
import "./session.js";

import {Problem, staleSince} from "./api.js";
import {announce, fill, h} from "./dom.js";
import {ago} from "./format.js";
import {problemText, whenSignedOut} from "./problems.js";
import {setLanguage, t} from "./text.js";

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {Node} view
 * @property {(() => void)} [leave] ends what the page started
 */

/**
 * The pages by the pattern of their path; the groups are the loader's arguments.
 *
 * @type {[RegExp, () => Promise<any>][]}
 */
const routes = [
  [/^\/$/, () => import("./pages/welcome.js")],
  [/^\/sign-in$/, () => import("./pages/sign-in.js")],
  [/^\/sign-up$/, () => import("./pages/sign-up.js")],
  [/^\/join$/, () => import("./pages/join.js")],
  [/^\/my$/, () => import("./pages/bikes.js")],
  [/^\/my\/new-bike$/, () => import("./pages/bike-form.js")],
  [/^\/my\/bikes\/([0-9a-f-]{36})$/, () => import("./pages/bike.js")],
  [/^\/my\/bikes\/([0-9a-f-]{36})\/edit$/, () => import("./pages/bike-form.js")],
  [/^\/my\/bikes\/([0-9a-f-]{36})\/letter$/, () => import("./pages/letter.js")],
  [/^\/my\/account$/, () => import("./pages/account.js")],
];

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {Page | null} */
let shown = null;
let visit = 0;

/** Shows the page of the current address. */
export async function show() {
  const number = ++visit;
  const path = location.pathname.replace(/(.)\/$/, "$1");
  const route = routes.find(([pattern]) => pattern.test(path));
  const groups = route ? (route[0].exec(path) ?? []).slice(1) : [];
  let page;
  try {
    page = route ? await (await route[1]()).page(...groups) : missing();
  } catch (error) {
    if (number !== visit) return;
    if (error instanceof Problem && error.status === 401) return whenSignedOut();
    page = broken(error);
  }
  if (number !== visit) return page.leave?.();
  shown?.leave?.();
  shown = page;
  document.title = page.title === "FindMyBike" ? page.title : `${page.title} · FindMyBike`;
  announce(staleSince ? t.stale(ago(staleSince)) : null);
  fill(root, page.view);
  root.querySelector("h1")?.setAttribute("tabindex", "-1");
}

/** @returns {Page} */
function missing() {
  return {title: "FindMyBike", view: h("main", {}, h("h1", {}, t.notFound), h("a", {href: "/my"}, t.nav.bikes))};
}

/**
 * @param {unknown} error
 * @returns {Page}
 */
function broken(error) {
  const retry = h("button", {class: "primary", onclick: show}, t.again);
  return {title: "FindMyBike", view: h("main", {}, h("p", {class: "notice warn"}, problemText(error)), retry)};
}

/**
 * Goes to another page without loading the document again.
 *
 * @param {string} path
 */
export function go(path, replace = false) {
  if (replace)
    history.replaceState(null, "", path);
  else
    history.pushState(null, "", path);
  scrollTo(0, 0);
  return show();
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || link.target ||
      link.hasAttribute("download"))
    return;
  if (link.origin !== location.origin || !routes.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  go(link.pathname + link.hash);
});
addEventListener("popstate", show);
addEventListener("online", show);
// A page that the Back button takes from memory may belong to somebody who has signed out since.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  fill(root);
  show();
});
addEventListener("page:go", (event) => go(/** @type {CustomEvent<string>} */ (event).detail));

await setLanguage(localStorage.getItem("language") ?? undefined);
await show();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});
