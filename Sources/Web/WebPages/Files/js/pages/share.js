import {call, Problem, send} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, moment} from "../format.js";
import {bikeName, kindName, swatches, top} from "../parts.js";
import {t} from "../text.js";
import {TrailList} from "../trail/list.js";
import {LiveMark} from "../trail/live-mark.js";
import {follow} from "../trail/live.js";
import {TrailMap} from "../trail/map.js";
import {believable} from "../trail/stays.js";

import {shareMessage} from "./share-message.js";

/**
 * A search as anyone who has its link sees it. The link's secret stays in the fragment of the address, which browsers
 * do not send. So the page can be loaded again, and nothing needs to be kept elsewhere.
 */
export async function page() {
  const secret = location.hash.slice(1);
  if (!/^fmb_share_[\w-]{43}$/.test(secret)) return message(t.shared.unknown, t.shared.unknownHint);
  try {
    const search = await call("GET", "/v1/share", {bearer: secret});
    if (!search.closed) return await running(search, secret);
    const outcome = t.shared.outcomes[/** @type {keyof typeof t.shared.outcomes} */ (search.outcome)];
    return message(outcome, `${bikeName(search.bike)}. ${t.shared.over}`);
  } catch (error) {
    if (error instanceof Problem && error.status === 410) return message(t.shared.ended, t.shared.endedHint);
    if (error instanceof Problem && error.status === 401) return message(t.shared.unknown, t.shared.unknownHint);
    throw error;
  }
}

/**
 * @param {string} title
 * @param {string} text
 */
function message(title, text) {
  const view = h("div", {}, top(false), h("main", {}, h("h1", {}, title), h("p", {class: "lead"}, text)));
  return {title, view, leave: whenChanged()};
}

/**
 * @param {any} search
 * @param {string} secret
 */
async function running(search, secret) {
  const {bike} = search;
  const map = new TrailMap(secret);
  const [headline, list] = [h("div", {class: "stack", "aria-live": "polite"}), new TrailList({})];
  const mark = new LiveMark();
  await map.sized;
  const section =
      h("section", {class: "stack"}, h("div", {class: "row"}, h("h2", {}, t.trail.title), mark.element), list.element);
  const found = h("div", {class: "found"}, map.element, section);
  map.element.hidden = true;
  const end = follow("/v1/share/sightings", {
    secret,
    onChange: (stored) => {
      // A link says no reasons.
      const sightings = stored.filter((sighting) => !sighting.dismissed).map((each) => ({...each, reasons: []}));
      const latest = believable(sightings)[0];
      map.element.hidden = sightings.length === 0;
      const none = sightings.length ? t.shared.disputed : t.shared.none;
      fill(headline, ...(latest ? latestPlace(latest) : [h("p", {class: "lead"}, none)]));
      list.draw(sightings);
      map.draw(sightings);
    },
    onState: (isLive, since) => mark.set(isLive, since),
    onEnd: again
  });
  requestAnimationFrame(() => map.start());
  const pictures = photos(search.photos, secret);
  const view =
      h("div", {}, top(false),
        h("main", {class: "searching"},
          h("div", {class: "row between title"},
            h("div", {}, h("h1", {}, bikeName(bike)), h("p", {class: "row soft"}, kindName(bike.kind), swatches(bike))),
            h("span", {class: "chip bad"}, t.bikes.missing)),
          h("p", {}, t.shared.lead),
          h("div", {class: "stack"}, headline,
            h("p", {class: "small soft"}, t.trail.missingSince(moment(search.missingSince)))),
          pictures.element, h("p", {class: "notice warn"}, t.shared.advice), shareMessage(secret), found,
          h("p", {class: "small soft"}, t.shared.until(moment(search.ends)))));
  const forget = whenChanged();
  return {
    title: bikeName(bike),
    view,
    leave: () => {
      forget();
      end();
      mark.stop();
      map.stop();
      pictures.stop();
    }
  };
}

/** @param {import("../trail/stays.js").Sighting} latest */
function latestPlace(latest) {
  return [
    h("p", {class: "small soft"}, `${t.bikes.lastHeard} ${ago(latest.lastSeen)}`),
    h("p", {class: "latest-place"}, latest.station.name)
  ];
}

/**
 * Photos, which a plain image cannot load, since their request must carry the secret.
 *
 * @param {any[]} shown
 * @param {string} secret
 */
function photos(shown, secret) {
  const element = h("ul", {class: "photos few"});
  /** @type {string[]} */
  const addresses = [];
  let isStopped = false;
  const load = async () => {
    for (const {id, width, height} of shown) {
      const response = await send("GET", `/v1/share/photos/${id}?size=small`, {accept: "image/jpeg", bearer: secret});
      const address = URL.createObjectURL(await response.blob());
      if (isStopped) return URL.revokeObjectURL(address);
      addresses.push(address);
      element.append(h("li", {}, h("img", {src: address, alt: t.shared.photo, width, height})));
    }
  };
  // Without its photos the page is still useful.
  load().catch(() => {});
  return {
    element,
    stop: () => {
      isStopped = true;
      addresses.forEach((address) => URL.revokeObjectURL(address));
    }
  };
}

/** Shows the page again: the search may be over, or the link may have ended. */
function again() { dispatchEvent(new CustomEvent("page:go", {detail: location.pathname + location.hash})); }

/** Another link that is opened in this tab changes only the fragment. Returns what ends the watch. */
function whenChanged() {
  addEventListener("hashchange", again);
  return () => removeEventListener("hashchange", again);
}
