import {ticking} from "../../ages.js";
import {fill, h} from "../../dom.js";
import {ago, clock} from "../../format.js";
import {attempt} from "../../problems.js";
import {t} from "../../text.js";
import {tileset} from "../../trail/tiles.js";
import {channelName, counted, number, size} from "../numbers.js";
import {facts, part, row, since, table} from "../parts.js";
import {session} from "../session.js";
import {d} from "../text.js";
import {look} from "../watch.js";

/** @typedef {import("../watch.js").Overview} Overview */

const hour = 3_600_000;
/** An alert that waits for longer may be in its owner's quiet hours, which last a night at most. */
const longWait = 12 * hour;
const backupAge = 26 * hour;
const leastFree = 2e9;

/** What needs attention, and the numbers behind it. */
export async function page() {
  const [overview, {passkeys}, tiles] = await Promise.all([look(), session(), tileset()]);
  const place = h("div", {class: "stack wide-gaps"});
  const tools = h("div", {class: "row"});
  let seen = overview;
  const draw = (/** @type {Overview} */ newest) => {
    seen = newest;
    fill(place, attention(newest, passkeys, tiles !== null), ...numbers(newest));
  };
  const asOf = ticking(() => d.asOf(clock(seen.time)));
  const refresh = () => attempt(tools, async () => draw(await look()));
  tools.append(h("span", {class: "small soft"}, asOf), h("button", {type: "button", onclick: refresh}, d.refresh));
  draw(overview);
  const view =
      h("div", {class: "stack wide-gaps"}, h("div", {class: "row between"}, h("h1", {}, d.nav.overview), tools), place);
  // A focused element must not disappear.
  const update = (/** @type {Overview} */ newest) => place.contains(document.activeElement) || draw(newest);
  return {title: d.nav.overview, view, update};
}

/**
 * @param {Overview} overview
 * @param {number} passkeys
 * @param {boolean} hasMap
 */
function attention(overview, passkeys, hasMap) {
  const items = [
    ...concerns(overview), ...(passkeys ? [] : [[d.overview.passkey, "/desk/access", ""]]),
    ...(hasMap ? [] : [[d.overview.noMap, "/desk/stations", ""]])
  ];
  const list = h(
      "ul", {class: "menu concerns"}, items.map(([text, href, tone]) => h("li", {class: tone}, h("a", {href}, text))));
  return part(d.overview.attention, items.length ? list : h("p", {class: "notice good"}, d.overview.calm));
}

/**
 * The problems, the most urgent first, with where to look and a tone.
 *
 * @param {Overview} overview
 * @returns {string[][]}
 */
function concerns({time, stations, alerts, deliveryErrors, database, backup, audit, reviews, unreadableBeacons}) {
  const age = (/** @type {string} */ from) => Date.parse(time) - Date.parse(from);
  const texts = d.overview;
  const review = (/** @type {keyof typeof reviews} */ name, /** @type {string} */ href) =>
      reviews[name].count && [texts[name](reviews[name].count, counted(reviews[name])), href, "warn"];
  const found = [
    (database.freeBytes ?? leastFree) < leastFree && [texts.disk(size(database.freeBytes ?? 0)), "#storage", "bad"],
    !backup && [texts.noBackup, "#storage", "bad"],
    backup && age(backup.taken) > backupAge && [texts.oldBackup(ago(backup.taken)), "#storage", "bad"],
    unreadableBeacons && [texts.unreadable(unreadableBeacons), "#missing", "bad"],
    stations.lying && [texts.lying(stations.lying), "/desk/audit?action=canary.reported", "bad"],
    stations.silent && [texts.silent(stations.silent), "/desk/stations?state=silent", "bad"],
    stations.deaf && [texts.deaf(stations.deaf), "/desk/stations?state=deaf", "bad"],
    ...alerts.map(
        ({kind, oldest}) =>
            oldest && age(oldest) > longWait && [texts.waiting(channelName(kind), ago(oldest)), "#alerts", "bad"]),
    ...deliveryErrors.map(({kind, count}) => [texts.failing(channelName(kind), count), "#alerts", "warn"]),
    !audit.checkpoint && audit.length && [texts.noCheckpoint, "#storage", "warn"],
    review("safety", "/desk/safety"),
    review("objections", "/desk/safety#objections"),
    review("searches", "/desk/reviews#searches"),
    review("messages", "/desk/messages"),
    review("references", "/desk/reviews#references"),
    review("claims", "/desk/reviews"),
    review("owners", "/desk/reviews#owners"),
    stations.outdated && [texts.outdated(stations.outdated), "/desk/stations", ""],
    stations.new && [texts.fresh(stations.new), "/desk/stations?state=new", ""],
  ];
  return /** @type {string[][]} */ (found.filter(Boolean));
}

/** @param {Overview} overview */
function numbers({stations, alerts, deliveryErrors, missingList, database, backup, audit, disputed}) {
  const texts = d.overview;
  const states = /** @type {const} */ (["listening", "deaf", "silent", "new", "revoked"]);
  const tiles =
      h("dl", {class: "figures"},
        states.map((state) => h("div", {}, h("dt", {}, d.states[state]), h("dd", {}, number(stations[state])))));
  const heads = [texts.channel, texts.waitingHead, texts.oldest, texts.failures, texts.lastError];
  const kinds = [...new Set([...alerts, ...deliveryErrors].map(({kind}) => kind))].sort();
  const lines = kinds.map((kind) => {
    const waiting = alerts.find((each) => each.kind === kind);
    const failed = deliveryErrors.find((each) => each.kind === kind);
    return row(heads, [
      channelName(kind), waiting ? counted(waiting.waiting) : "0", waiting?.oldest ? since(waiting.oldest) : "",
      failed ? number(failed.count) : "0",
      failed ? [failed.text, " ", h("span", {class: "soft"}, since(failed.last))] : ""
    ]);
  });
  const doubts = [d.reason, texts.count];
  return [
    part(
        d.nav.stations, tiles,
        h("p", {class: "small soft"}, texts.silentAfter(Math.round(stations.silentAfterSeconds / 60)))),
    named(
        "alerts",
        part(
            texts.alertsTitle,
            lines.length ? table(texts.alertsTitle, heads, lines) : h("p", {class: "soft"}, texts.noAlerts))),
    h("div", {class: "halves"},
      named("storage", part(texts.storageTitle, facts([
                              [texts.database, size(database.bytes)],
                              [texts.log, database.logBytes !== undefined && size(database.logBytes)],
                              [texts.free, database.freeBytes !== undefined && size(database.freeBytes)],
                              [texts.backup, backup ? since(backup.taken) : d.never],
                              [texts.auditLength, number(audit.length)],
                              [texts.lastCheckpoint, audit.checkpoint ? since(audit.checkpoint) : d.never],
                            ]))),
      named("missing", part(texts.missingTitle, facts([
                              [texts.version, number(missingList.version)],
                              [texts.bikes, number(missingList.bikes)],
                              [texts.entries, number(missingList.entries)],
                              [texts.size, size(missingList.bytes)],
                            ])))),
    part(
        texts.disputedTitle,
        disputed.reasons.length
            ? table(
                  texts.disputedTitle, doubts,
                  disputed.reasons.map(
                      ({reason, sightings}) =>
                          row(doubts, [reasonText(reason), counted({count: sightings, more: disputed.more})])))
            : h("p", {class: "soft"}, texts.noDisputed)),
  ];
}

/** @param {string} reason */
function reasonText(reason) { return t.trail.reasons[/** @type {keyof typeof t.trail.reasons} */ (reason)] ?? reason; }

/**
 * @param {string} id
 * @param {HTMLElement} element
 */
function named(id, element) {
  element.id = id;
  return element;
}
