import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {clock} from "../format.js";
import {copyable} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

/**
 * What is missing before the beacon of a bike counts as its owner's, and what to do about it.
 *
 * @param {import("../parts.js").Bike} bike
 */
export function pending(bike) {
  const {uuid, major, minor} = bike.identity;
  const test = h("div", {class: "stack"});
  showTest(test, bike);
  return h(
      "section", {class: "card attention"}, h("h2", {}, t.pending.title), h("p", {}, t.pending.why),
      h("ol", {class: "steps"},
        h("li", {}, t.pending.set, copyable(t.bike.minor, String(minor)),
          h("p", {class: "small soft"}, `${t.pending.same} ${t.bike.uuid} ${uuid}, ${t.bike.major} ${major}`)),
        h("li", {}, t.pending.ride, test), h("li", {}, t.pending.done)),
      h("details", {}, h("summary", {}, t.pending.trouble),
        h("div", {class: "stack"}, h("p", {}, t.pending.operator), copyable(t.pending.id, bike.id))));
}

/**
 * @param {HTMLElement} place
 * @param {any} bike
 */
function showTest(place, bike) {
  const ends = bike.pending?.testEnds;
  if (ends && Date.parse(ends) > Date.now())
    return fill(place, h("p", {class: "notice good", role: "status"}, t.pending.running(clock(ends))));
  const start = async () => {
    const changed = await call("POST", `/v1/bikes/${bike.id}/beacon/test`);
    showTest(place, changed);
  };
  fill(place, h("button", {class: "primary wide", onclick: () => attempt(place, start)}, t.bike.test));
}
