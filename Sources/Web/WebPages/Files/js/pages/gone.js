import {call, create, Problem, staleSince, Unanswered} from "../api.js";
import {fill, h} from "../dom.js";
import {distance, localInput, moment} from "../format.js";
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
      h("p", {class: "small soft", id}, t.bikes.notYet));
}

/**
 * Asks once whether the bike is gone, and reports it missing. When and where are optional, so two taps are enough.
 *
 * @param {import("../parts.js").Bike} bike
 */
export function askGone(bike) {
  const key = crypto.randomUUID();
  const details = whenAndWhere({}, recentlyParked(bike));
  const lead = h("p", {class: "soft"}, t.gone.lead);
  const section =
      h("details", {}, h("summary", {}, t.gone.details), h("div", {class: "stack"}, details.fields, policeFields({})));
  ask(t.gone.title(bikeName(bike)), [lead, section], {text: t.gone.submit, kind: "alarm"}, async (form) => {
    const body = details.read(form);
    await create(`/v1/bikes/${bike.id}/reports`, body, key).catch((problem) => joinOpen(bike, body, problem));
    dispatchEvent(new CustomEvent("page:go", {detail: `/my/bikes/${bike.id}`}));
  });
}

/**
 * Where the owner has parked the bike in the last two days; an older place may be one that they forgot to change.
 *
 * @param {import("../parts.js").Bike} bike
 */
function recentlyParked({parked}) {
  return parked && Date.now() - Date.parse(parked.since) < 2 * 86_400_000 ? parked.place : undefined;
}

/**
 * After a report that failed: whether the bike is reported missing anyway, by an earlier try whose response was lost or
 * from another tab. Details that the open report lacks are added to it.
 *
 * @param {import("../parts.js").Bike} bike
 * @param {Record<string, any>} body
 * @param {unknown} problem is thrown if the bike is not reported missing
 */
async function joinOpen(bike, body, problem) {
  const isOpenMaybe = problem instanceof Unanswered ||
      (problem instanceof Problem && ["report-already-open", "idempotency-key-reused"].includes(problem.kind));
  if (!isOpenMaybe) throw problem;
  const now = await call("GET", `/v1/bikes/${bike.id}`, {within: 8000}).catch(() => null);
  // Without a connection, this is what the device kept.
  if (!now?.openReport || staleSince) throw problem;
  const path = `/v1/bikes/${bike.id}/reports/${now.openReport}`;
  const report = await call("GET", path);
  const added = Object.fromEntries(
      Object.entries(body).filter(([name]) => name !== "missingSince" && report[name] === undefined));
  if (Object.keys(added).length) await call("PATCH", path, {body: added});
}

/**
 * The fields of a report that say when and where the bike was last seen.
 *
 * @param {any} report what is known; empty for a new report
 * @param {any} [parked] where the owner has parked the bike
 * @returns {{fields: HTMLElement[], read: (form: HTMLFormElement) => Record<string, any>}} `read` gives the form's
 * values without those that are blank, and without a time that was not changed
 */
export function whenAndWhere(report, parked) {
  let lastPlace = report.lastPlace ?? parked;
  const known = localInput(new Date(report.missingSince ?? Date.now()));
  const yesterday = h("p", {class: "hint", role: "status"});
  const showYesterday = () => {
    const time = pastTime(since.value);
    fill(yesterday, time && localInput(time) !== since.value && t.gone.yesterday(moment(time)));
  };
  const since = h("input", {type: "datetime-local", name: "since", value: known, oninput: showYesterday});
  const place = h("p", {class: "hint", role: "status"}, lastPlace && (parked ? t.gone.placeParked : t.gone.placeKnown));
  const take = async () => {
    fill(place, t.gone.placeAsked);
    const found = await position().catch(() => undefined);
    lastPlace = found ?? lastPlace;
    fill(place, found ? t.gone.placeSet(distance(found.accuracy)) : t.gone.placeFailed);
    drop.hidden = !lastPlace;
  };
  const drop =
      h("button", {
        type: "button",
        class: "plain danger",
        hidden: !lastPlace,
        onclick: () => {
          lastPlace = undefined;
          drop.hidden = true;
          fill(place, t.gone.noPlace);
        }
      },
        t.gone.dropPlace);
  const wasOnlyHere = report.onlyHere === true;
  const onlyHere = h("input", {type: "checkbox", checked: wasOnlyHere});
  const fields = [
    h("div", {class: "stack"}, labelled(t.gone.since, since), yesterday),
    h("div", {class: "label"}, t.gone.place, h("button", {type: "button", onclick: take}, t.gone.usePlace), drop,
      place),
    labelled(t.gone.note, h("textarea", {name: "note", maxlength: 500, rows: 2}, report.note ?? "")),
    h("label", {class: "check"}, onlyHere, h("span", {}, t.gone.onlyHere)),
  ];
  const read = (/** @type {HTMLFormElement} */ form) => {
    const {since, ...rest} = values(form);
    const time = since && since !== known ? pastTime(since) : null;
    return {
      ...rest,
      ...(time && {missingSince: time.toISOString()}),
      ...(lastPlace && {lastPlace}),
      ...(onlyHere.checked !== wasOnlyHere && {onlyHere: onlyHere.checked})
    };
  };
  return {fields, read};
}

/** @param {any} report */
export function policeFields(report) {
  const field = (/** @type {string} */ name) =>
      h("input", {name, maxlength: 64, autocomplete: "off", value: report[name] ?? ""});
  return [
    labelled(t.gone.police, field("policeReference"), t.gone.policeHint), labelled(t.gone.force, field("policeForce"))
  ];
}

/**
 * The time of a `datetime-local` field. A time later today is meant for yesterday: just after midnight, people enter
 * 23:30.
 *
 * @param {string} text
 * @returns {Date | null} null if it is no time
 */
function pastTime(text) {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return null;
  const [now, before] = [Date.now(), new Date(time)];
  before.setDate(time.getDate() - 1);
  // A minute may have passed since the field was filled in.
  return time.getTime() > now + 60_000 && before.getTime() <= now ? before : time;
}

/**
 * This device's position, which the browser asks the person for.
 *
 * @param {number} [maximumAge] how many milliseconds old it may be
 * @returns {Promise<{latitude: number, longitude: number, accuracy: number}>}
 */
export function position(maximumAge = 60_000) {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
        ({coords}) => resolve({
          latitude: round(coords.latitude),
          longitude: round(coords.longitude),
          accuracy: Math.min(10_000, Math.max(1, Math.ceil(coords.accuracy)))
        }),
        reject, {enableHighAccuracy: true, timeout: 15_000, maximumAge});
  });
}

/**
 * Six decimals, a tenth of a metre.
 *
 * @param {number} degrees
 */
function round(degrees) { return Math.round(degrees * 1e6) / 1e6; }
