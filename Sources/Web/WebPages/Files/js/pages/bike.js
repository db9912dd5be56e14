import {call, send} from "../api.js";
import {h} from "../dom.js";
import {capital, moment, prepareFormats} from "../format.js";
import {askRemoval, bikeName, copyable, kindName, may, swatches, top} from "../parts.js";
import {attempt, problemText} from "../problems.js";
import {t} from "../text.js";

import {goneButton} from "./gone.js";
import {pending} from "./pending.js";
import {rotating} from "./rotation.js";
import {search} from "./search.js";

/** @typedef {import("../parts.js").Bike} Bike */

/** Whether the page of a bike is the first one of this visit. */
let isFirst = true;

/**
 * One bike: its trail while it is missing, otherwise its beacon and details.
 *
 * @param {string} id
 */
export async function page(id) {
  const bike = /** @type {Bike} */ (await call("GET", `/v1/bikes/${id}`));
  const searching = bike.openReport ? search(bike, bike.openReport) : null;
  // On a slow line, the rest would be loaded before the map. Once it is there, nothing needs to come later; and a
  // finder who waits for an answer may stand beside the bike.
  const isLater = searching && isFirst && !bike.waitingMessages;
  isFirst = false;
  const others = isLater ? null : rest(bike);
  others?.catch(() => {});
  prepareFormats();
  const running = await searching;
  const heading =
      h("div", {class: "row between title"},
        h("div", {}, h("h1", {}, bikeName(bike)),
          h("p", {class: "row soft"}, kindName(bike.kind), swatches(bike),
            bike.role && h("span", {class: "chip"}, t.bikes.shared))),
        bike.openReport ? h("span", {class: "chip bad"}, t.bikes.missing) : null);
  const main = h("main", {class: running ? "searching" : null}, heading);
  const parts = running?.parts ?? (may(bike, "report") ? [goneButton(bike, "alarm")] : []);
  const {awaited, following} = await others ?? {awaited: [], following: []};
  main.append(...awaited, ...parts, ...following);
  if (isLater)
    running?.drawn.then(() => rest(bike))
        .then(({awaited, following}) => main.append(...awaited, ...following))
        .catch((error) => main.append(h("p", {class: "notice warn"}, problemText(error))));
  return {title: bikeName(bike), view: h("div", {}, top(), main), leave: () => running?.leave()};
}

/**
 * The parts around a bike's search or the button for a report: above it messages of finders who wait for an answer, and
 * the rest below.
 *
 * @param {Bike} bike
 * @returns {Promise<{awaited: HTMLElement[], following: HTMLElement[]}>}
 */
async function rest(bike) {
  const {pictures, finders, past, shared} = (await import("./around.js")).around(bike);
  // They fail only if there is no such bike, and the page then says so by itself.
  const others = Promise.all([finders, past, shared]);
  others.catch(() => {});
  const [readying, dates] =
      await Promise.all([bike.role || bike.openReport ? [] : readyParts(bike, pictures), upkeep(bike)]);
  const [photos, messages, earlier, members] = [await pictures, ...await others];
  const isAwaited = messages?.hasAttribute("open");
  return {
    awaited: messages && isAwaited ? [messages] : [],
    // The beacon, and whether the bike stays registered, are its owner's matter.
    following: [
      ...(bike.pending && !bike.role ? [pending(bike)] : []), ...readying,
      ...(messages && !isAwaited ? [messages] : []), photos,
      ...(bike.role ? [] : [beacon(bike, !bike.openReport && !bike.pending && !bike.test?.heard)]),
      ...(earlier ? [earlier] : []), details(bike, dates), members, ...(bike.role ? [] : [removal(bike)])
    ]
  };
}

/**
 * The beacon's values, each ready to be copied into its maker's app.
 *
 * @param {Bike} bike
 * @param {boolean} isOpen
 */
function beacon(bike, isOpen) {
  if (bike.rotation)
    return h(
        "details", {class: "card", open: isOpen, "data-part": "beacon"}, h("summary", {}, t.bike.beacon),
        h("div", {class: "stack"}, rotating(bike.rotation)));
  const {uuid, major, minor} = bike.identity;
  return h(
      "details", {class: "card", open: isOpen, "data-part": "beacon"}, h("summary", {}, t.bike.beacon),
      h("div", {class: "stack"}, h("p", {class: "soft"}, t.bike.beaconLead), copyable(t.bike.uuid, uuid),
        h("div", {class: "pair"}, copyable(t.bike.major, String(major)), copyable(t.bike.minor, String(minor))),
        h("details", {}, h("summary", {}, t.bike.steps), h("ol", {}, t.bike.step.map((step) => h("li", {}, step))))));
}

/**
 * What its owner needs before the bike is gone. On a bad line the page leaves it out.
 *
 * @param {Bike} bike
 * @param {Promise<HTMLElement>} photos
 */
function readyParts(bike, photos) {
  return import("./ready.js").then((part) => part.ready(bike, photos)).catch(() => []);
}

/**
 * The dates of which the owner is reminded.
 *
 * @param {Bike} bike
 */
async function upkeep({upkeep}) {
  return upkeep ? import("./upkeep.js").then((part) => part.upkeepRows(upkeep)).catch(() => []) : [];
}

/**
 * @param {Bike} bike
 * @param {[string, import("../dom.js").Child][]} dates
 */
function details(bike, dates) {
  const rows = [
    [t.bike.year, bike.year],
    [t.bike.serial, bike.serial],
    [t.bike.plate, bike.plate],
    [t.bike.vin, bike.vin],
    [t.bike.engineNumber, bike.engineNumber],
    [t.bike.buyerCheck, bike.buyerCheck && t.bike.buyerCheckOn],
    [t.bike.notes, bike.notes],
    ...dates,
    [t.bike.since, capital(moment(bike.created))],
  ].filter(([, value]) => value);
  return h(
      "details", {class: "card"}, h("summary", {}, t.bike.details),
      h("div", {class: "stack"},
        h("dl", {class: "values"}, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
        may(bike, "manage") && h("a", {class: "button", href: `/my/bikes/${bike.id}/edit`}, t.bike.edit)));
}

/** @param {Bike} bike */
function removal(bike) {
  const erase = t.bike.erase(t.these[/** @type {keyof typeof t.these} */ (bike.kind)] ?? t.these.other);
  return h(
      "button", {
        class: "plain danger",
        onclick: () => askRemoval(
            t.sure.bike.title(bikeName(bike)), t.bike.eraseAsk, erase,
            async () => {
              const etag = (await send("GET", `/v1/bikes/${bike.id}`)).headers.get("ETag") ?? "";
              await call("DELETE", `/v1/bikes/${bike.id}`, {etag});
              dispatchEvent(new CustomEvent("page:go", {detail: "/my"}));
            })
      },
      erase);
}
