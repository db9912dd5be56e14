import {h} from "./dom.js";
import {offerToLeave} from "./leave.js";
import {shrunk} from "./pictures.js";
import {repeat} from "./repeat.js";

/**
 * The pages of finders and buyers do more with JavaScript: local times, the place by one tap, a photo, and answers that
 * appear by themselves. Everything else works without it. The texts come with the page.
 *
 * @typedef {{from: "finder" | "owner", time: string, text: string}} Message
 */

const language = document.documentElement.lang;
/** The browser's form of this language, such as en-GB, for times. */
const locale = navigator.languages.find((name) => name.startsWith(language)) ?? language;
const most = 500;

/** @param {string} time */
function localTime(time) {
  const date = new Date(time);
  const clock = /** @type {const} */ ({hour: "2-digit", minute: "2-digit"});
  const day = /** @type {const} */ ({weekday: "short", day: "numeric", month: "short"});
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(locale, isToday ? clock : {...day, ...clock}).format(date);
}

/** @param {ParentNode} place */
function showLocalTimes(place) {
  for (const element of place.querySelectorAll("time")) element.textContent = localTime(element.dateTime);
}

/**
 * Offers to put the place into the message, where the person sees it, and can delete it, before it is sent. The
 * position is asked for only after the tap.
 *
 * @param {HTMLElement} place
 */
function offerPlace(place) {
  const {line = "", waiting = "", added = "", denied = "", full = ""} = place.dataset;
  const [button, status] = [place.querySelector("button"), place.querySelector("[role=status]")];
  const field = place.closest("form")?.querySelector("textarea");
  if (!navigator.geolocation || !button || !status || !field) return;
  place.hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    status.textContent = waiting;
    navigator.geolocation.getCurrentPosition(
        ({coords}) => {
          button.disabled = false;
          const at = `${coords.latitude.toFixed(5)}, ${coords.longitude.toFixed(5)}`;
          const text = `${line} ${at} (± ${Math.ceil(coords.accuracy)} m)`;
          const before = field.value.split("\n").filter((each) => !each.startsWith(line)).join("\n").trimEnd();
          const whole = before ? `${before}\n${text}` : text;
          status.textContent = [...whole].length > most ? full : added;
          if ([...whole].length <= most) field.value = whole;
        },
        () => {
          button.disabled = false;
          status.textContent = denied;
        },
        {enableHighAccuracy: true, timeout: 20_000, maximumAge: 30_000});
  });
}

/** The longer side of a photo that is sent; the registry takes up to 1 MB from strangers. */
const longest = 1280;

/**
 * Offers to add a photo, from the camera on a phone. It is made smaller here, which also removes the place in it.
 *
 * @param {HTMLElement} place
 * @param {HTMLElement} list
 */
function offerPhoto(place, list) {
  const {photos = "", sending = "", sent = "", failed = "", unreadable = "", full = ""} = place.dataset;
  const button = place.querySelector("button");
  const status = place.querySelector("[role=status]");
  const picker = place.querySelector("input");
  if (!button || !status || !picker) return;
  place.hidden = false;
  button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", async () => {
    const file = picker.files?.[0];
    picker.value = "";
    if (!file) return;
    button.disabled = true;
    status.textContent = sending;
    const blob = await shrunk(file, longest).catch(() => null);
    const response = blob &&
        await fetch(photos, {method: "POST", body: blob, headers: {"Content-Type": "image/jpeg"}}).catch(() => null);
    button.disabled = false;
    status.textContent = !blob ? unreadable : response?.ok ? sent : response?.status === 409 ? full : failed;
    if (!response?.ok || !blob) return;
    const {time} = await response.json();
    const head =
        h("p", {class: "small soft"}, `${list.dataset.finder}, `, h("time", {datetime: time}, localTime(time)));
    const image = h("img", {class: "sent", src: URL.createObjectURL(blob), alt: list.dataset.photo});
    list.append(h("li", {class: "card"}, head, image));
  });
}

/**
 * Follows a conversation. What the person is writing stays.
 *
 * @param {HTMLElement} list
 */
function follow(list) {
  const {news = "", finder = "", owner = "", answer = ""} = list.dataset;
  const status = document.querySelector("[data-live]");
  const announce = (/** @type {string} */ time) => {
    if (status) status.textContent = `${answer} ${localTime(time)}`;
    document.title = `(1) ${document.title.replace(/^\(1\) /, "")}`;
  };
  const answered = sessionStorage.getItem("answered");
  sessionStorage.removeItem("answered");
  if (answered) announce(answered);
  let [tag, shown] = ["", list.querySelectorAll("[data-message]").length];
  repeat(async () => {
    const response = await fetch(news, {headers: tag ? {"If-None-Match": tag} : {}, cache: "no-store"});
    if (response.status === 404) return null;
    if (!response.ok) return false;
    tag = response.headers.get("ETag") ?? "";
    const {messages, writable} = /** @type {{messages: Message[], writable: boolean}} */ (await response.json());
    const field = document.querySelector("textarea");
    // The page itself says what has changed for the person, and what can be done now.
    if (writable !== Boolean(field) && !field?.value) location.replace(location.pathname);
    const fresh = messages.slice(shown);
    shown = messages.length;
    for (const {from, time, text} of fresh) {
      const head =
          h("p", {class: "small soft"}, `${from === "owner" ? owner : finder}, `,
            h("time", {datetime: time}, localTime(time)));
      const lines = text.split("\n").flatMap((line, index) => index ? [h("br"), line] : [line]);
      list.append(h("li", {class: from === "owner" ? "card theirs" : "card"}, head, h("p", {}, lines)));
    }
    const last = fresh.filter(({from}) => from === "owner").pop();
    // From the first answer on, the owner can be reported: only the page itself offers that.
    if (last && !document.querySelector("button[value=report]") && !field?.value) {
      sessionStorage.setItem("answered", last.time);
      location.reload();
    } else if (last) {
      announce(last.time);
    }
    return fresh.length > 0;
  });
}

offerToLeave();
showLocalTimes(document);
document.querySelectorAll("[data-place]").forEach((place) => offerPlace(/** @type {HTMLElement} */ (place)));
const list = /** @type {HTMLElement | null} */ (document.querySelector("[data-news]"));
const photo = /** @type {HTMLElement | null} */ (document.querySelector("[data-photos]"));
if (list) follow(list);
if (list && photo) offerPhoto(photo, list);
