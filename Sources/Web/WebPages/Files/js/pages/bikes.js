import {ticking} from "../ages.js";
import {all} from "../api.js";
import {h} from "../dom.js";
import {ago, prepareFormats} from "../format.js";
import {alertsOff, bikeName, kindName, may, picture, swatches, top} from "../parts.js";
import {renew} from "../push.js";
import {t} from "../text.js";
import {latestFirst} from "../trail/stays.js";

import {goneButton} from "./gone.js";

/** @typedef {import("../parts.js").Bike} Bike */

/** The owner's bikes, the missing ones first. */
export async function page() {
  const asked = all("/v1/channels?limit=100").catch(() => []);
  const bikes = /** @type {Bike[]} */ (await all("/v1/bikes?limit=100"));
  const missing = bikes.filter((bike) => bike.openReport);
  const heard = Promise.all(missing.map((bike) => lastSighting(bike).catch(() => null)));
  prepareFormats();
  const latest = await heard;
  const channels = await asked;
  renew(channels).catch(() => {});
  const cards = [
    ...missing.map((bike, index) => missingCard(bike, latest[index])),
    ...bikes.filter((bike) => !bike.openReport).map((bike) => safeCard(bike)),
  ];
  const view =
      h("div", {}, top(),
        h("main", {},
          h("div", {class: "row between"}, h("h1", {}, t.bikes.title),
            h("a", {class: "button", href: "/my/new-bike"}, t.bikes.add)),
          bikes.length > 0 && alertsOff(channels),
          cards.length ? h("ul", {class: "plain-list"}, cards.map((card) => h("li", {}, card)))
                       : h("p", {class: "lead"}, t.bikes.empty)));
  return {title: t.bikes.title, view};
}

/** @param {Bike} bike */
async function lastSighting(bike) {
  const sightings = await all(`/v1/bikes/${bike.id}/reports/${bike.openReport}/sightings?limit=100`);
  return latestFirst(sightings).find((sighting) => !sighting.dismissed) ?? null;
}

/**
 * @param {Bike} bike
 * @param {any} latest
 */
function missingCard(bike, latest) {
  return h(
      "a", {class: "card missing", href: `/my/bikes/${bike.id}`},
      heading(bike, h("span", {class: "chip bad"}, t.bikes.missing)),
      latest ? h("div", {}, h("p", {class: "small soft"}, `${t.bikes.lastHeard} `, ticking(() => ago(latest.lastSeen))),
                 h("p", {class: "latest-place"}, latest.station.name))
             : h("p", {class: "soft"}, t.bikes.notHeard),
      h("span", {class: "button alarm wide"}, t.bikes.see));
}

/**
 * @param {Bike} bike
 */
function safeCard(bike) {
  return h(
      "div", {class: "card"},
      h("a", {class: "card-link", href: `/my/bikes/${bike.id}`},
        heading(bike, bike.pending && h("span", {class: "chip warn"}, t.bikes.pending))),
      may(bike, "report") && goneButton(bike, "outline-alarm"));
}

/**
 * @param {Bike} bike
 * @param {any} chip
 */
function heading(bike, chip) {
  return h(
      "div", {class: "bike-heading"},
      bike.photo &&
          picture({src: `/v1/bikes/${bike.id}/photos/${bike.photo}?size=small`, alt: "", width: 56, height: 56}),
      h("div", {}, h("h2", {}, bikeName(bike)),
        h("p", {class: "row small soft"}, kindName(bike.kind), swatches(bike),
          bike.role && h("span", {class: "chip"}, t.bikes.shared),
          bike.waitingMessages && h("span", {class: "chip warn"}, t.bikes.messages(bike.waitingMessages)))),
      chip);
}
