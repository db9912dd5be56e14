import {swatch} from "../colours.js";
import {h} from "../dom.js";
import {languages} from "../text/languages.js";

import {clock, language, t} from "./texts.js";

/**
 * @typedef {import("./feed.js").Bike} Bike
 * @typedef {import("./feed.js").View} View
 * @typedef {{answer: (bike: Bike, answer: "seen" | "absent") => void, problems: Map<string, string>}} Staff
 */

/**
 * What staff see: the bikes, what to do, and whether the station works. It changes only when something has happened.
 *
 * @param {View} view
 * @param {Staff} staff
 * @param {number | null} past when this was true, if the connection is lost; then nothing is said as if it were true
 *     now
 */
export function board(view, staff, past) {
  const count = view.bikes.length + view.more;
  const when = past === null ? null : clock(past);
  // Somebody has looked for all of them, and has seen none: nothing to hurry for.
  const isUnseen = count > 0 && view.more === 0 && view.bikes.every((bike) => bike.answer?.answer === "absent");
  return h(
      "main",
      {class: ["board", count && "found", when && "past", isUnseen && !when && "unseen"].filter(Boolean).join(" ")},
      h("p", {class: "station"}, view.station), h("h1", {}, isUnseen && !when ? t.unseen(count) : title(count, when)),
      count === 0 && !when && h("p", {class: "lead"}, t.noneHint),
      count > 0 && h("ul", {class: "plain-list"}, view.bikes.map((bike) => card(bike, staff, when !== null))),
      count > 0 && advice(view), view.more > 0 && h("p", {class: "lead"}, t.more(view.more)), health(view, when));
}

/**
 * @param {number} count
 * @param {string | null} when
 */
function title(count, when) {
  const texts = when ? t.past : t;
  const text = count === 0 ? texts.none : count === 1 ? texts.one : texts.many(count);
  return when ? t.past.title(text, when) : text;
}

/**
 * @param {Bike} bike
 * @param {Staff} staff
 * @param {boolean} isPast
 */
function card(bike, staff, isPast) {
  const {visit, lookFor, answer} = bike;
  const said = answer?.answer;
  const problem = staff.problems.get(visit);
  const kind = t.kinds[/** @type {keyof typeof t.kinds} */ (lookFor.kind)] ?? lookFor.kind;
  const colours = lookFor.colours.map((name) => t.colours[/** @type {keyof typeof t.colours} */ (name)] ?? name);
  const isNear = bike.proximity === "immediate" || bike.proximity === "near";
  const place = isNear ? t.near : bike.proximity === "far" ? t.inside : null;
  const since = clock(Date.parse(bike.since));
  const button = (/** @type {"seen" | "absent"} */ choice) =>
      h("button", {
        id: `${choice}-${visit}`,
        type: "button",
        "aria-pressed": String(said === choice),
        "aria-describedby": `bike-${visit}`,
        onclick: () => staff.answer(bike, choice)
      },
        t[choice]);
  return h(
      "li", {class: "card"},
      h("div", {class: "look-for", id: `bike-${visit}`}, !isPast && lookFor.photo && picture(lookFor.photo),
        h("h2", {}, `${lookFor.make} ${lookFor.model}`),
        h("p", {class: "colours"}, h("span", {class: "swatches", "aria-hidden": "true"}, lookFor.colours.map(swatch)),
          `${colours.join(", ")} · ${kind}`),
        h("p", {},
          isPast ? t.past.since(since)
                 : [t.since(since), place, bike.receiver && t.receiver(bike.receiver)].filter(Boolean).join(" · "))),
      h("div", {class: "answers"}, button("seen"), button("absent")),
      answer && h("p", {}, `${t.answered[answer.answer](clock(Date.parse(answer.time)))} ${t.answered.change}`),
      problem && h("p", {class: "fault", role: "alert"}, problem));
}

/**
 * A photo that the owner lets staff see. Its address ends with the visit, and so does the picture.
 *
 * @param {string} address
 */
function picture(address) {
  const image = h("img", {src: address, alt: t.photo, referrerpolicy: "no-referrer", onerror: () => image.remove()});
  return image;
}

/** @param {View} view */
function advice(view) {
  return h("section", {class: "todo"}, h("h2", {}, t.advice.title), h("ol", {}, [
             t.advice.look, t.advice.leave, t.advice.police, view.contact && t.advice.call(view.contact)
           ].filter(Boolean).map((step) => h("li", {}, h("span", {}, step)))));
}

/**
 * @param {View} view
 * @param {string | null} when
 */
function health({health}, when) {
  const isGood = health.state === "listening";
  if (when && isGood) return h("section", {class: "health"}, h("p", {}, t.past.listening(when)));
  const contact = !isGood && !when && health.contact && ` ${t.health.contact(clock(Date.parse(health.contact)))}`;
  const state = `${when ? `${when}: ` : ""}${t.health[health.state]}`;
  return h(
      "section", {class: isGood ? "health good" : "health notice alarm-note"},
      h("p", {}, state, !isGood && ".", contact), !isGood && h("p", {}, t.health.hint));
}

/**
 * The choices at the display: its language, and whether it makes a sound.
 *
 * @param {boolean} hasSound
 * @param {(hasSound: boolean) => void} setSound
 * @param {(code: string) => void} setLanguage
 * @param {boolean} hasStatus whether the monitor shows its status beside the page
 */
export function choices(hasSound, setSound, setLanguage, hasStatus) {
  const select =
      h("select", {id: "language", onchange: () => setLanguage(select.value)},
        Object.entries(languages).map(
            ([code, name]) => h("option", {value: code, lang: code, selected: code === language}, name)));
  const sound = h(
      "button", {id: "sound", type: "button", onclick: () => setSound(!hasSound)}, hasSound ? t.sound.on : t.sound.off);
  const status = hasStatus && h("a", {href: "status"}, t.status);
  return h("footer", {class: "row between"}, h("label", {class: "row"}, t.language, select), status, sound);
}
