import {call, send} from "../api.js";
import {h} from "../dom.js";
import {capital, moment, prepareFormats} from "../format.js";
import {askRemoval, bikeName, copyable, kindName, may, swatches, top} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

import {earlier} from "./earlier.js";
import {goneButton} from "./gone.js";
import {members} from "./members.js";
import {messages} from "./messages.js";
import {pending} from "./pending.js";
import {photos} from "./photos.js";
import {rotating} from "./rotation.js";
import {search} from "./search.js";

/** @typedef {import("../parts.js").Bike} Bike */

/**
 * One bike: its trail while it is missing, otherwise its beacon and details.
 *
 * @param {string} id
 */
export async function page(id) {
  const found = /** @type {Promise<Bike>} */ (call("GET", `/v1/bikes/${id}`));
  // All that does not need the bike is asked for with it, and the rest as soon as it is known: each step costs a phone
  // a round trip.
  const shown = photos(id, found);
  const rest = Promise.all([shown, earlier(id), members(id, found), messages(id, found)]);
  // They fail only if there is no such bike, and the page then says so by itself.
  rest.catch(() => {});
  const bike = await found;
  const searching = bike.openReport ? search(bike, bike.openReport) : null;
  const readying = bike.role || bike.openReport ? [] : readyParts(bike, shown);
  const dates = upkeep(bike);
  prepareFormats();
  const running = await searching;
  const [pictures, past, shared, finders] = await rest;
  const heading =
      h("div", {class: "row between title"},
        h("div", {}, h("h1", {}, bikeName(bike)),
          h("p", {class: "row soft"}, kindName(bike.kind), swatches(bike),
            bike.role && h("span", {class: "chip"}, t.bikes.shared))),
        bike.openReport ? h("span", {class: "chip bad"}, t.bikes.missing) : null);
  const main = h("main", {class: running ? "searching" : null}, heading);
  // A finder who waits for an answer may stand beside the bike.
  const isAwaited = finders?.hasAttribute("open");
  if (isAwaited) main.append(finders ?? "");
  if (running)
    main.append(...running.parts);
  else if (may(bike, "report"))
    main.append(goneButton(bike, "alarm"));
  if (bike.pending && !bike.role) main.append(pending(bike));
  main.append(...await readying);
  // The beacon, and whether the bike stays registered, are its owner's matter.
  main.append(
      ...(finders && !isAwaited ? [finders] : []), pictures,
      ...(bike.role ? [] : [beacon(bike, !running && !bike.pending && !bike.test?.heard)]), ...(past ? [past] : []),
      details(bike, await dates), shared, ...(bike.role ? [] : [removal(bike)]));
  return {title: bikeName(bike), view: h("div", {}, top(), main), leave: () => running?.leave()};
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
 * What its owner needs before the bike is gone. On a bad line the page does without.
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
