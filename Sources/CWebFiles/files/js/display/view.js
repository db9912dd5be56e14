import {swatch} from "../colours.js";
import {h} from "../dom.js";

import {clock, language, languages, t} from "./texts.js";

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
 */
export function board(view, staff) {
  const count = view.bikes.length + view.more;
  const title = count === 0 ? t.none : count === 1 ? t.one : t.many(count);
  return h(
      "main", {class: count ? "board found" : "board"}, h("p", {class: "station"}, view.station), h("h1", {}, title),
      count === 0 && h("p", {class: "lead"}, t.noneHint),
      count > 0 && h("ul", {class: "plain-list"}, view.bikes.map((bike) => card(bike, staff))),
      view.more > 0 && h("p", {class: "lead"}, t.more(view.more)), count > 0 && advice(view), health(view));
}

/**
 * @param {Bike} bike
 * @param {Staff} staff
 */
function card(bike, staff) {
  const {visit, lookFor, answer} = bike;
  const said = answer?.answer;
  const problem = staff.problems.get(visit);
  const kind = t.kinds[/** @type {keyof typeof t.kinds} */ (lookFor.kind)] ?? lookFor.kind;
  const colours = lookFor.colours.map((name) => t.colours[/** @type {keyof typeof t.colours} */ (name)] ?? name);
  const isNear = bike.proximity === "immediate" || bike.proximity === "near";
  const button = (/** @type {"seen" | "absent"} */ choice) =>
      h("button", {
        id: `${choice}-${visit}`,
        type: "button",
        class: said === choice ? "primary" : "",
        "aria-pressed": String(said === choice),
        "aria-describedby": `bike-${visit}`,
        onclick: () => staff.answer(bike, choice)
      },
        t[choice]);
  return h(
      "li", {class: "card missing"},
      h("div", {class: "look-for", id: `bike-${visit}`}, h("h2", {}, `${lookFor.make} ${lookFor.model}`),
        h("p", {class: "colours"}, h("span", {class: "swatches", "aria-hidden": "true"}, lookFor.colours.map(swatch)),
          `${colours.join(", ")} · ${kind}`),
        h("p", {}, `${t.since(clock(Date.parse(bike.since)))} · ${isNear ? t.near : t.inside}`)),
      h("div", {class: "answers"}, button("seen"), button("absent")),
      answer && h("p", {}, `${t.answered[answer.answer](clock(Date.parse(answer.time)))} ${t.answered.change}`),
      problem && h("p", {class: "fault", role: "alert"}, problem));
}

/** @param {View} view */
function advice(view) {
  return h(
      "section", {class: "notice warn"}, h("h2", {}, t.advice.title),
      h("ol", {}, h("li", {}, t.advice.look), h("li", {}, t.advice.leave),
        h("li", {}, view.contact ? t.advice.call(view.contact) : t.advice.police)));
}

/** @param {View} view */
function health({health}) {
  const isGood = health.state === "listening";
  const contact = !isGood && health.contact && ` ${t.health.contact(clock(Date.parse(health.contact)))}`;
  return h(
      "section", {class: isGood ? "health good" : "health notice alarm-note"},
      h("p", {}, t.health[health.state], !isGood && ".", contact), !isGood && h("p", {}, t.health.hint));
}

/**
 * The choices at the display: its language, and whether it makes a sound.
 *
 * @param {boolean} hasSound
 * @param {(hasSound: boolean) => void} setSound
 * @param {(code: string) => void} setLanguage
 */
export function choices(hasSound, setSound, setLanguage) {
  const select =
      h("select", {id: "language", onchange: () => setLanguage(select.value)},
        Object.entries(languages).map(
            ([code, name]) => h("option", {value: code, lang: code, selected: code === language}, name)));
  const sound = h(
      "button", {id: "sound", type: "button", onclick: () => setSound(!hasSound)}, hasSound ? t.sound.on : t.sound.off);
  return h("footer", {class: "row between"}, h("label", {class: "row"}, t.language, select), sound);
}
