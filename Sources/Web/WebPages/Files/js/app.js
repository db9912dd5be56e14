import "./trusted.js";

import {Problem, staleSince} from "./api.js";
import {announce, fill, h} from "./dom.js";
import {ago} from "./format.js";
import {languageChoice} from "./language.js";
import {keepPages, keptLanguage} from "./locale.js";
import {top} from "./parts.js";
import {isTyped, problemText, whenSignedOut} from "./problems.js";
import {isSignedIn} from "./session.js";
import {language, loadTexts, setLanguage, t} from "./text.js";
import {isHeld, mayLeave, stay} from "./unsaved.js";

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {Node} view
 * @property {(() => void)} [leave] ends what the page started
 * @property {boolean} [isBroken] whether it says only that it cannot be shown
 */

/**
 * The pages by the pattern of their path, whose groups are the loader's arguments, and the part of the texts that a
 * page needs beside the first.
 *
 * @type {[RegExp, () => Promise<any>, "more"?][]}
 */
const routes = [
  [/^\/$/, () => import("./pages/welcome.js")],
  [/^\/sign-in$/, () => import("./pages/sign-in.js")],
  [/^\/sign-up$/, () => import("./pages/sign-up.js")],
  [/^\/share$/, () => import("./pages/share.js"), "more"],
  [/^\/about$/, () => import("./pages/about.js")],
  [/^\/join$/, () => import("./pages/join.js"), "more"],
  [/^\/my$/, () => import("./pages/bikes.js")],
  [/^\/my\/new-bike$/, () => import("./pages/bike-form.js"), "more"],
  [/^\/my\/bikes\/([0-9a-f-]{36})$/, () => import("./pages/bike.js"), "more"],
  [/^\/my\/bikes\/([0-9a-f-]{36})\/edit$/, () => import("./pages/bike-form.js"), "more"],
  [/^\/my\/bikes\/([0-9a-f-]{36})\/letter$/, () => import("./pages/letter.js"), "more"],
  [/^\/my\/bikes\/([0-9a-f-]{36})\/poster$/, () => import("./pages/poster.js"), "more"],
  [/^\/my\/account$/, () => import("./pages/account.js"), "more"],
];

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const foot = /** @type {HTMLElement} */ (document.getElementById("foot"));
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
    page = route ? await load(route[1], route[2], groups) : missing();
  } catch (error) {
    if (number !== visit) return;
    if (error instanceof Problem && error.status === 401) return whenSignedOut();
    await loadTexts("problems").catch(() => {});
    page = error instanceof Problem && error.status === 404 ? missing() : broken(error);
  }
  if (number !== visit) return page.leave?.();
  closeDialogs();
  shown?.leave?.();
  shown = page;
  document.title = page.title === "FindMyBike" ? page.title : `${page.title} · FindMyBike`;
  // In the language that the page has now. Before signing in, the choice is at the top; the account has its own.
  const choice = isSignedIn() && path !== "/my/account" && languageChoice();
  fill(foot, choice, h("a", {href: "/followed"}, t.followed));
  // A page that says so itself needs no banner.
  announce(staleSince && !page.isBroken ? t.stale(ago(staleSince)) : null);
  fill(root, page.view);
  root.querySelector("h1")?.setAttribute("tabindex", "-1");
}

/**
 * A page, with its texts.
 *
 * @param {() => Promise<any>} module
 * @param {"more" | undefined} part
 * @param {string[]} groups
 * @returns {Promise<Page>}
 */
async function load(module, part, groups) {
  const [loaded] = await Promise.all([module(), part && loadTexts(part)]);
  return loaded.page(...groups);
}

/** @returns {Page} */
function missing() {
  return {
    title: "FindMyBike",
    view:
        h("div", {}, top(isSignedIn()),
          h("main", {}, h("h1", {}, t.notFound), h("p", {class: "lead"}, isSignedIn() && t.notFoundHint),
            h("p", {}, h("a", {class: "button", href: isSignedIn() ? "/my" : "/"}, t.home))))
  };
}

/**
 * @param {unknown} error
 * @returns {Page}
 */
function broken(error) {
  const retry = h("button", {class: "primary", onclick: show}, t.again);
  return {
    title: "FindMyBike",
    isBroken: true,
    view: h("div", {}, top(isSignedIn()), h("main", {}, h("p", {class: "notice warn"}, problemText(error)), retry))
  };
}

/** Removes everything that belongs to an owner from the document. */
function empty() {
  visit++;
  shown?.leave?.();
  shown = null;
  closeDialogs();
  announce(null);
  fill(root);
}

function closeDialogs() { document.querySelectorAll("dialog").forEach((dialog) => dialog.close()); }

/**
 * The names of the sections that are open; those with these names are opened first.
 *
 * @param {string[]} [names]
 */
function openSections(names = []) {
  return [...root.querySelectorAll("details")].flatMap((section) => {
    // A name may have a count in it.
    const name = section.querySelector("summary")?.textContent?.replace(/[0-9]+/g, "") ?? "";
    section.open ||= names.includes(name);
    return section.open ? [name] : [];
  });
}

/**
 * Goes to another page without loading the document again.
 *
 * @param {string} path
 */
export async function go(path, replace = false) {
  if (!(await mayLeave())) return;
  if (replace)
    history.replaceState(null, "", path);
  else
    history.pushState(null, "", path);
  scrollTo(0, 0);
  await show();
  // Otherwise people with screen readers would not learn that the page is another one.
  root.querySelector("h1")?.focus({preventScroll: true});
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || link.target ||
      link.hasAttribute("download"))
    return;
  if (link.origin !== location.origin || !routes.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
addEventListener("popstate", async () => {
  if (!isHeld()) return show();
  stay();
  if (await mayLeave()) history.back();
});
// What is shown without a connection is out of date; what the person has typed must stay.
addEventListener("online", () => {
  if (staleSince && !isHeld() && !document.querySelector("dialog[open]") && !isTyped(root)) show();
});
// A page that the Back button takes from memory, or another window, may belong to somebody who has signed out since.
// So a page is put away empty.
addEventListener("pagehide", (event) => event.persisted && empty());
addEventListener("pageshow", (event) => event.persisted && show());
addEventListener("storage", (event) => {
  if ((event.key !== "signedIn" && event.key !== null) || isHeld()) return;
  empty();
  show();
});
addEventListener("page:go", (event) => go(/** @type {CustomEvent<string>} */ (event).detail));
addEventListener("page:renew", async (event) => {
  const [place, sections] = [scrollY, openSections()];
  await show();
  keepPages(language);
  openSections(sections);
  scrollTo(0, place);
  root.querySelector("h1")?.focus({preventScroll: true});
  /** @type {CustomEvent<(() => void) | null>} */ (event).detail?.();
});
addEventListener("page:replace", (event) => go(/** @type {CustomEvent<string>} */ (event).detail, true));

// The texts and the page's own module arrive at the same time.
routes.find(([pattern]) => pattern.test(location.pathname))?.[1]().catch(() => {});
await setLanguage(keptLanguage());
await show();
// Later, there may be no connection to load these texts. Now, the page itself is still loading more.
setTimeout(() => loadTexts("problems").catch(() => {}), 3000);
keepPages(language);
