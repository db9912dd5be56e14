import {call} from "../api.js";
import {h} from "../dom.js";

/**
 * @typedef {object} Tileset
 * @property {string} attribution
 * @property {number} minZoom
 * @property {number} maxZoom
 * @property {[number, number, number, number]} [bounds] west, south, east and north
 */

/**
 * The registry's map; null if it has none, or without a connection.
 *
 * @param {string} [secret] of a link; without it the session counts
 * @returns {Promise<Tileset | null>}
 */
export async function tileset(secret) {
  const description = await call("GET", "/v1/map", {bearer: secret}).catch(() => null);
  return description?.tiles ?? null;
}

/**
 * Draws the registry's map below a trail. The tiles come from the registry only.
 *
 * @param {any} L
 * @param {any} map
 * @param {Tileset} tiles
 * @param {string | undefined} secret of a link; without it the session counts
 * @param {(isShown: boolean) => void} onState whether there is a map behind what the person sees
 */
export function drawTiles(L, map, tiles, secret, onState) {
  const {attribution, minZoom, maxZoom} = tiles;
  const [west, south, east, north] = tiles.bounds ?? [-180, -90, 180, 90];
  const bounds = L.latLngBounds([[south, west], [north, east]]);
  const source = new TileRequests(secret ? {Authorization: `Bearer ${secret}`} : {});
  const layer = new (L.GridLayer.extend({
    createTile: (/** @type {any} */ coords, /** @type {(problem: any, tile: any) => void} */ done) =>
        source.tile(`/tiles/${coords.z}/${coords.x}/${coords.y}`, done)
  }))({minZoom, maxNativeZoom: maxZoom, maxZoom: 19, bounds, noWrap: true, className: "tiles"});
  const credit = h("p", {class: "map-credit"}, creditLine(attribution));
  let hasTiles = false;
  const update = () => {
    const isShown = hasTiles && map.getZoom() >= minZoom && map.getBounds().intersects(bounds);
    map.getContainer().classList.toggle("with-tiles", isShown);
    credit.hidden = !isShown;
    onState(isShown);
  };
  let loaded = 0;
  layer.on("loading", () => {
    loaded = 0;
  });
  layer.on("tileload", () => {
    loaded++;
    hasTiles = true;
    update();
  });
  layer.on("load", () => {
    hasTiles = loaded > 0;
    update();
  });
  layer.on("tileunload", (/** @type {any} */ event) => source.cancel(event.tile));
  map.on("moveend", update);
  map.getContainer().append(credit);
  update();
  layer.addTo(map);
}

/** Fetches tiles; while the registry asks to wait, none. */
class TileRequests {
  /** @param {Record<string, string>} headers */
  constructor(headers) {
    this.headers = headers;
    this.pausedUntil = 0;
    /** @type {WeakMap<HTMLImageElement, AbortController>} */
    this.requests = new WeakMap();
  }

  /**
   * @param {string} path
   * @param {(problem: any, tile: any) => void} done
   */
  tile(path, done) {
    const image = h("img", {alt: ""});
    const request = new AbortController();
    this.requests.set(image, request);
    this.fetch(path, request.signal)
        .then(async (picture) => {
          image.src = picture;
          // Whether it is a picture at all.
          await image.decode().finally(() => URL.revokeObjectURL(picture));
          done(null, image);
        })
        .catch((problem) => done(problem, image));
    return image;
  }

  /** @param {HTMLImageElement} image */
  cancel(image) { this.requests.get(image)?.abort(); }

  /**
   * @param {string} path
   * @param {AbortSignal} signal
   */
  async fetch(path, signal) {
    if (Date.now() < this.pausedUntil) throw new Error("the registry asked to wait");
    const response = await fetch(path, {headers: this.headers, credentials: "same-origin", signal});
    if (response.ok) return URL.createObjectURL(await response.blob());
    const seconds = Number(response.headers.get("Retry-After"));
    if (seconds > 0) this.pausedUntil = Date.now() + Math.min(seconds, 300) * 1000;
    throw new Error(`status ${response.status}`);
  }
}

/**
 * The line that says who made the map. OpenStreetMap asks for a link to its terms.
 *
 * @param {string} attribution
 */
function creditLine(attribution) {
  if (!attribution.includes("OpenStreetMap")) return attribution;
  return h("a", {href: "https://www.openstreetmap.org/copyright", rel: "noreferrer"}, attribution);
}
