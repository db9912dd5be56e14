import {call, change} from "../../api.js";
import {h} from "../../dom.js";
import {ago, duration, localInput, moment} from "../../format.js";
import {ask, labelled, values} from "../../parts.js";
import {coverage} from "../coverage.js";
import {displays} from "../displays.js";
import {number} from "../numbers.js";
import {button, facts, part, row, since, stateChip, table} from "../parts.js";
import {placeFields, placeFrom, placeText} from "../place.js";
import {d} from "../text.js";
import {look} from "../watch.js";

/** As the registry limits it, in milliseconds. */
const earliestMove = 30 * 86_400_000;

/**
 * A station: its health, what it heard, and what an operator can change.
 *
 * @param {string} id
 */
export async function page(id) {
  const path = `/v1/stations/${id}`;
  const [station, overview] = await Promise.all([call("GET", path), look().catch(() => null)]);
  const texts = d.station;
  const again = () => dispatchEvent(new CustomEvent("page:go", {detail: `/desk/stations/${id}`}));
  const view = h(
      "div", {class: "stack wide-gaps"}, h("div", {class: "row"}, h("h1", {}, station.name), stateChip(station.state)),
      station.judgement && h("p", {class: "notice warn"}, texts.judging(number(station.judgement.sightings))),
      h("div", {class: "halves"}, part(texts.health, health(station, overview)),
        part(texts.place, whereabouts(station, id))),
      actions(station, path, again), station.revoked ? null : displays(path), adapters(station), coverage(path));
  return {title: station.name, view};
}

/**
 * @param {any} station
 * @param {import("../watch.js").Overview | null} overview
 */
function health({heartbeat, enrolled}, overview) {
  const texts = d.station;
  const own = heartbeat?.heartbeat.listVersion;
  const newest = overview?.missingList.version;
  return facts([
    [texts.lastHeartbeat, heartbeat ? since(heartbeat.received) : texts.noHeartbeat],
    [texts.programVersion, heartbeat?.heartbeat.version],
    [
      texts.listVersion,
      own !== undefined && (newest === undefined ? number(own) : texts.listOf(number(own), number(newest)))
    ],
    [texts.enrolled, since(enrolled)],
  ]);
}

/**
 * @param {any} station
 * @param {string} id
 */
function whereabouts({venue, mobile, place, placedSince, revoked, quarantinedSince}, id) {
  const texts = d.station;
  return facts([
    [texts.venue, venue],
    [texts.place, mobile ? texts.mobile : placeText(place)],
    [texts.placedSince, moment(placedSince)],
    [texts.revoked, revoked && moment(revoked)],
    [texts.quarantined, quarantinedSince && moment(quarantinedSince)],
    [d.id, h("span", {class: "mono"}, id)],
    [d.nav.audit, h("a", {href: `/desk/audit?station=${id}`}, texts.audit)],
  ]);
}

/** @param {any} station */
function adapters({heartbeat}) {
  const texts = d.station;
  const items = heartbeat?.heartbeat.adapters ?? [];
  if (!items.length) return null;
  const heads = [texts.adapter, texts.adapterState, texts.heard, texts.reports, texts.dropped, texts.error];
  const rows = items.map((/** @type {any} */ item) => row(heads, [
                           item.name, adapterState(item.state),
                           item.silentSeconds === undefined ? d.never : texts.before(duration(item.silentSeconds)),
                           number(item.reports), number(item.dropped), item.lastError ?? ""
                         ]));
  return part(
      texts.adapters, h("p", {class: "small soft"}, `${texts.lastHeartbeat}: ${ago(heartbeat.received)}`),
      table(texts.adapters, heads, rows));
}

/** @param {string} state of a radio, as its station's monitor names it */
function adapterState(state) {
  const texts = d.station.adapterStates;
  return texts[/** @type {keyof typeof texts} */ (state)] ?? state;
}

/**
 * @param {any} station
 * @param {string} path
 * @param {() => void} again
 */
function actions(station, path, again) {
  const texts = d.station;
  if (station.revoked)
    return h(
        "div", {class: "row"}, button(texts.distrust, () => askRevoke(station, path, again), {class: "outline-alarm"}));
  return h(
      "div", {class: "row"}, button(texts.rename, () => askRename(station, path, again)),
      button(texts.move, () => askMove(station, path, again)),
      button(texts.revoke, () => askRevoke(station, path, again), {class: "outline-alarm"}));
}

/**
 * @param {any} station
 * @param {string} path
 * @param {() => void} again
 */
function askRename({name, venue}, path, again) {
  const texts = d.station;
  const field = (/** @type {string} */ key, /** @type {string} */ value) =>
      h("input", {name: key, value, required: true, maxlength: 64, autocomplete: "off"});
  ask(texts.renameTitle,
      [
        labelled(texts.name, field("name", name), texts.nameHint),
        labelled(texts.venue, field("venue", venue), texts.venueHint)
      ],
      {text: texts.rename}, async (form) => {
        await change(path, values(form));
        again();
      });
}

/**
 * @param {any} station
 * @param {string} path
 * @param {() => void} again
 */
function askMove({id, place}, path, again) {
  const texts = d.station;
  const now = Date.now();
  const time = h("input", {
    type: "datetime-local",
    name: "since",
    min: localInput(new Date(now - earliestMove)),
    max: localInput(new Date(now))
  });
  ask(texts.moveTitle,
      [h("p", {class: "soft"}, texts.moveLead), placeFields(place, id), labelled(texts.movedAt, time, texts.movedHint)],
      {text: texts.move}, async (form) => {
        const {since, ...fields} = values(form);
        await change(path, {place: placeFrom(fields), ...(since && {since: new Date(since).toISOString()})});
        again();
      });
}

/**
 * Revokes a station, or distrusts what a revoked one reported.
 *
 * @param {any} station
 * @param {string} path
 * @param {() => void} again
 */
function askRevoke({name, revoked}, path, again) {
  const texts = d.station;
  const time =
      h("input",
        {type: "datetime-local", name: "quarantineSince", max: localInput(new Date()), required: Boolean(revoked)});
  const [title, lead, submit] = revoked ? [texts.distrustTitle(name), texts.distrustLead, texts.distrust]
                                        : [texts.revokeTitle(name), texts.revokeLead, texts.revoke];
  ask(title,
      [h("p", {class: "soft"}, lead), labelled(texts.quarantine, time, revoked ? undefined : texts.quarantineHint)],
      {text: submit, kind: "alarm", isSecond: true}, async (form) => {
        const {quarantineSince} = values(form);
        const query =
            quarantineSince ? `?quarantineSince=${encodeURIComponent(new Date(quarantineSince).toISOString())}` : "";
        await call("DELETE", path + query);
        again();
      });
}
