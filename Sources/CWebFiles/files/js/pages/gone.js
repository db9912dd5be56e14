import {create} from "../api.js";
import {fill, h} from "../dom.js";
import {distance, localInput} from "../format.js";
import {ask, bikeName, labelled, values} from "../parts.js";
import {t} from "../text.js";

/**
 * The button that reports a bike missing. The registry refuses that until the beacon is confirmed, so the button says
 * so instead of failing.
 *
 * @param {import("../parts.js").Bike} bike
 * @param {string} look
 */
export function goneButton(bike, look) {
  if (!bike.pending) return h("button", {class: `${look} wide`, onclick: () => askGone(bike)}, t.bikes.gone);
  const id = `why-${bike.id}`;
  return h(
      "div", {class: "stack"},
      h("button", {class: `${look} wide`, disabled: true, "aria-describedby": id}, t.bikes.gone),
      h("p", {class: "small soft", id}, t.pending.notYet));
}

/**
 * Asks once whether the bike is gone, and reports it missing. When and where are optional, so two taps are enough.
 *
 * @param {import("../parts.js").Bike} bike
 */
export function askGone(bike) {
  const key = crypto.randomUUID();
  /** @type {any} */
  let lastPlace;
  const place = h("p", {class: "hint"});
  const usePlace =
      h("button", {
        type: "button",
        onclick: async () => {
          lastPlace = await position().catch(() => undefined);
          fill(place, lastPlace ? t.gone.placeSet(distance(lastPlace.accuracy)) : t.gone.placeFailed);
        }
      },
        t.gone.usePlace);
  const now = localInput(new Date());
  const details = h(
      "details", {}, h("summary", {}, t.gone.details),
      h("div", {class: "stack"},
        labelled(
            t.gone.since, h("input", {type: "datetime-local", name: "since", value: now, max: now}), t.gone.sinceHint),
        h("div", {class: "label"}, t.gone.place, usePlace, place),
        labelled(
            t.gone.police, h("input", {name: "policeReference", maxlength: 64, autocomplete: "off"}),
            t.gone.policeHint),
        labelled(t.gone.force, h("input", {name: "policeForce", maxlength: 64})),
        labelled(t.gone.note, h("textarea", {name: "note", maxlength: 500, rows: 2}))));
  const lead = h("p", {class: "soft"}, t.gone.lead);
  ask(t.gone.title(bikeName(bike)), [lead, details], {text: t.gone.submit, kind: "alarm"}, async (form) => {
    const {since, ...rest} = values(form);
    const body = since && since !== now ? {...rest, missingSince: new Date(since).toISOString()} : rest;
    await create(`/v1/bikes/${bike.id}/reports`, lastPlace ? {...body, lastPlace} : body, key);
    dispatchEvent(new CustomEvent("page:go", {detail: `/my/bikes/${bike.id}`}));
  });
}

/**
 * This device's position, which the browser asks the person for.
 *
 * @returns {Promise<{latitude: number, longitude: number, accuracy: number}>}
 */
export function position() {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
        ({coords}) => resolve({
          latitude: round(coords.latitude),
          longitude: round(coords.longitude),
          accuracy: Math.min(10_000, Math.max(1, Math.ceil(coords.accuracy)))
        }),
        reject, {enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000});
  });
}

/**
 * Six decimals, a tenth of a metre.
 *
 * @param {number} degrees
 */
function round(degrees) { return Math.round(degrees * 1e6) / 1e6; }
