import "./trusted.js";

import {Feed, Refusal, send} from "./display/feed.js";
import {pairing} from "./display/pairing.js";
import {allowSound, chime, isAudible, stayAwake} from "./display/screen.js";
import {clock, language, setLanguage, t} from "./display/texts.js";
import {board, choices} from "./display/view.js";
import {announce, fill, h} from "./dom.js";
import {keepPages} from "./locale.js";

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
/** Reports to screen readers that a bike has come. */
const arrivals = h("p", {class: "visually-hidden", role: "alert"});
/** @type {Map<string, string>} why an answer was not sent, by the visit */
const problems = new Map();
/** The visits that were shown, so that each makes one sound. */
let known = new Set();
/** @type {string[]} the visits that screen readers were told of last */
let announced = [];
let hasSound = localStorage.getItem("displaySound") === "on";
/** The code in the link; it is used at most once. */
let code = codeInLink();
/** Whether Home Assistant shows the page, whose own service worker is beside it. */
const isInside = location.pathname !== "/display";
/** How often the page looks whether the registry has a newer version of it. */
const renewal = 3_600_000;

await setLanguage(localStorage.getItem("displayLanguage"));
document.body.append(arrivals);
const feed = new Feed(draw);
draw();
feed.ask();
stayAwake();
if (!isInside) keepPages(language);
addEventListener("hashchange", () => {
  code = codeInLink();
  draw();
});
setInterval(renew, renewal);

function codeInLink() { return decodeURIComponent(location.hash.slice(1)).slice(0, 64); }

function draw() {
  const focused = document.activeElement?.id;
  fill(root, content(), choices(hasSound, setSound, changeLanguage, isInside));
  if (focused) document.getElementById(focused)?.focus({preventScroll: true});
  const blocked = hasSound && !isAudible() ? t.soundBlocked : null;
  announce(feed.isLost ? t.lost(clock(feed.since)) : blocked);
  document.body.classList.toggle("lost", feed.isLost);
  document.title = `${root.querySelector("h1")?.textContent ?? ""} · FindMyBike`;
  noteArrivals();
}

function content() {
  if (code || !feed.isPaired) return pairing(code, feed.hasEnded, paired, code ? cancel : null);
  if (!feed.kept) return h("main", {class: "board"}, h("h1", {}, t.loading));
  return board(feed.kept.view, {answer, problems}, feed.isLost ? feed.since : null);
}

/** @param {import("./display/feed.js").View} view */
function paired(view) {
  code = "";
  feed.take(view);
  draw();
}

function cancel() {
  code = "";
  history.replaceState(null, "", location.pathname);
  draw();
}

/** A sound and a message for each bike that was not shown before. The message goes with the bike. */
function noteArrivals() {
  const bikes = feed.kept?.view.bikes ?? [];
  const shown = new Set(bikes.map(({visit}) => visit));
  if (!announced.every((visit) => shown.has(visit))) {
    announced = [];
    fill(arrivals);
  }
  for (const visit of problems.keys()) shown.has(visit) || problems.delete(visit);
  const fresh = feed.isLost ? [] : bikes.filter(({visit}) => !known.has(visit));
  if (!feed.isLost) known = shown;
  if (!fresh.length) return;
  announced = fresh.map(({visit}) => visit);
  fill(arrivals, `${t.one}: ${fresh.map(({lookFor}) => `${lookFor.make} ${lookFor.model}`).join(", ")}`);
  if (hasSound) chime();
}

/**
 * @param {import("./display/feed.js").Bike} bike
 * @param {"seen" | "absent"} choice
 */
async function answer(bike, choice) {
  if (bike.answer?.answer === choice) return;
  problems.delete(bike.visit);
  try {
    await send("POST", `v1/display/visits/${bike.visit}/answer`, {answer: choice});
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 0;
    problems.set(bike.visit, status === 404 ? t.gone : status === 429 ? t.tooMany : t.notSent);
    draw();
  }
  feed.ask();
}

/** @param {boolean} isWanted */
async function setSound(isWanted) {
  // A first tap after a reload gives the browser's permission; it does not switch the sound off.
  if (hasSound && !isAudible()) isWanted = true;
  hasSound = isWanted;
  localStorage.setItem("displaySound", isWanted ? "on" : "off");
  if (isWanted) {
    await allowSound();
    chime();
  }
  draw();
}

/** @param {string} chosen */
async function changeLanguage(chosen) {
  localStorage.setItem("displayLanguage", chosen);
  await setLanguage(chosen);
  if (!isInside) keepPages(language);
  draw();
}

let version = /** @type {string | null} */ (null);

/** Loads the page again if there is a newer one, while nothing is happening: a screen stays on for months. */
async function renew() {
  const response = await fetch(location.pathname, {method: "HEAD", cache: "no-store"}).catch(() => null);
  const found = response?.ok ? response.headers.get("ETag") : null;
  if (!found) return;
  const isCalm = !feed.isLost && feed.kept?.view.bikes.length === 0;
  if (version && found !== version && isCalm) location.reload();
  version ??= found;
}
renew();
