import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {clock, moment} from "../format.js";
import {attempt} from "../problems.js";
import {texts as setupTexts} from "../text/setup.js";

/** The milliseconds between two looks at a test that is running. */
const pace = 5000;

/**
 * The test of a bike's beacon: starts it, and shows its progress and when a station heard the beacon.
 *
 * @param {import("../parts.js").Bike} bike
 * @param {(heard: boolean) => void} changed gets whether a station has heard the beacon in a test
 */
export function beaconTest(bike, changed) {
  const place = h("div", {class: "stack"});
  const status = h("p", {class: "small", role: "status"});
  const acts = h("div", {class: "stack"});
  place.append(status, acts);
  const start = () => attempt(acts, async () => {
    draw(await call("POST", `/v1/bikes/${bike.id}/beacon/test`));
    // The page may have been left meanwhile.
    if (place.isConnected) watch();
  });
  const watch = () => setTimeout(async () => {
    if (!place.isConnected) return;
    const now = document.hidden ? null : await call("GET", `/v1/bikes/${bike.id}`, {isQuiet: true}).catch(() => null);
    if (!now || draw(now)) watch();
  }, pace);
  /**
   * @param {any} now the bike
   * @returns {boolean} whether a test is running
   */
  const draw = (now) => {
    const texts = setupTexts();
    const {ends, heard} = now.test ?? {};
    const isRunning = ends !== undefined && Date.parse(ends) > Date.now();
    const wasRunning = place.dataset.state === "running";
    place.dataset.state = isRunning ? "running" : "idle";
    fill(
        status,
        isRunning   ? texts.running(clock(ends))
            : heard ? texts.heard(moment(heard))
                    : wasRunning && texts.unheard);
    status.className = isRunning ? "notice good" : heard || !wasRunning ? "small soft" : "notice warn";
    status.hidden = !status.textContent;
    fill(
        acts, !isRunning && !heard && h("p", {class: "small soft"}, texts.testLead),
        !isRunning &&
            h("button", {type: "button", class: heard ? "" : "primary wide", onclick: start},
              heard ? texts.again : texts.start));
    changed(Boolean(heard));
    return isRunning;
  };
  if (draw(bike)) watch();
  return place;
}
