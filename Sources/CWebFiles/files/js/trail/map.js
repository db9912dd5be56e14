import {h} from "../dom.js";
import {ago} from "../format.js";
import {t} from "../text.js";

import {believable, latestFirst, metresBetween, radius} from "./stays.js";
import {drawTiles, tileset} from "./tiles.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

const vendor = new URL("../../vendor/leaflet/", import.meta.url).pathname;

/**
 * Loads the map library when the first map is shown.
 *
 * @returns {Promise<any>}
 */
async function leaflet() {
  if (!document.getElementById("leaflet-style"))
    document.head.append(h("link", {id: "leaflet-style", rel: "stylesheet", href: `${vendor}leaflet.css`}));
  await import(`${vendor}leaflet.js`);
  return /** @type {any} */ (globalThis).L;
}

/** The number of stays on a map, the latest ones: more would slow a phone down, and nobody could tell them apart. */
const most = 300;

/** A map of a trail: stays as circles of their accuracy, their path in order, and the person's own position. */
export class TrailMap {
  /** @param {string} [secret] of the link through which the trail is seen; without it the session counts */
  constructor(secret) {
    this.secret = secret;
    this.hasStreets = false;
    /** @type {Sighting[]} */
    this.sightings = [];
    this.element = h("div", {class: "map", role: "region", "aria-label": t.trail.map});
    this.isFitted = false;
  }

  /** Begins to draw; the element is in the page now. The page does not wait for the library. */
  async start() {
    const [L, tiles] = await Promise.all([leaflet().catch(() => null), tileset(this.secret)]);
    this.L = L;
    if (this.isStopped) return;
    if (!L) return this.element.remove();
    // Tiles are sharp, and fit together, only at whole levels.
    const zoomSnap = tiles ? 1 : 0.25;
    this.map = L.map(this.element, {attributionControl: false, zoomControl: false, zoomSnap, minZoom: 3, maxZoom: 19});
    this.map.setView([20, 0], 3);
    L.control.scale({position: "topleft", imperial: false, maxWidth: 120}).addTo(this.map);
    this.grid = L.layerGroup().addTo(this.map);
    this.trail = L.layerGroup().addTo(this.map);
    this.map.on("moveend", () => this.drawGrid());
    if (tiles)
      drawTiles(L, this.map, tiles, this.secret, (isShown) => {
        if (this.hasStreets === isShown) return;
        this.hasStreets = isShown;
        this.drawGrid();
      });
    this.element.append(
        h("div", {class: "map-buttons"},
          h("button", {type: "button", "aria-label": t.trail.fit, title: t.trail.fit, onclick: () => this.fit(true)},
            "⤢")));
    this.resize = new ResizeObserver(() => {
      this.map.invalidateSize();
      this.fit(false);
    });
    this.resize.observe(this.element);
    this.draw(this.sightings);
    if (this.place) this.showSelf(this.place);
  }

  stop() {
    this.isStopped = true;
    this.resize?.disconnect();
    this.map?.remove();
  }

  /** @param {Sighting[]} sightings */
  draw(sightings) {
    const {L} = this;
    this.sightings = sightings;
    if (!this.map) return;
    this.trail.clearLayers();
    const ordered = latestFirst(sightings).filter((sighting) => !sighting.dismissed).slice(0, most).reverse();
    const path = believable(ordered).reverse().map(at);
    const latest = believable(ordered)[0];
    if (path.length > 1) L.polyline(path, {className: "path", interactive: false}).addTo(this.trail);
    for (const sighting of ordered) {
      const className = `stay ${sighting === latest ? "latest" : ""} ${sighting.level}`;
      const circle = L.circle(at(sighting), {radius: radius(sighting), className}).addTo(this.trail);
      circle.bindPopup(h("div", {}, h("strong", {}, sighting.station.name), h("br"), ago(sighting.lastSeen)));
      L.circleMarker(at(sighting), {radius: 4, className: `${className} centre`, interactive: false}).addTo(this.trail);
    }
    if (latest)
      L.tooltip({permanent: true, direction: "top", offset: [0, -8], className: "label-pin"})
          .setLatLng(at(latest))
          .setContent(h("span", {}, latest.station.name))
          .addTo(this.trail);
    this.bounds = L.latLngBounds(ordered.map(at));
    // A new place must be on the map, even if the person has moved it.
    const isElsewhere = latest && latest.id !== this.latest && !this.map.getBounds().contains(at(latest));
    this.latest = latest?.id;
    this.fit(Boolean(isElsewhere));
  }

  /**
   * Shows the whole trail.
   *
   * @param {boolean} always also if the person has moved the map since
   */
  fit(always) {
    if (!this.bounds?.isValid() || (this.isFitted && !always)) return;
    // The element has no size before it is in the page.
    if (!this.map.getSize().x) return;
    this.isFitted = true;
    const all = this.self ? this.bounds.extend(this.self.getLatLng()) : this.bounds;
    // The latest place's name stands above it, and must not be cut.
    const [side, above] = [Math.min(80, this.map.getSize().x / 4), 48];
    this.map.fitBounds(
        all, {paddingTopLeft: [side, above], paddingBottomRight: [side, 64], maxZoom: 16, animate: false});
    this.drawGrid();
  }

  /** @param {{latitude: number, longitude: number}} place */
  showSelf(place) {
    this.place = place;
    if (!this.map) return;
    this.self?.remove();
    this.self = this.L.circleMarker([place.latitude, place.longitude], {radius: 8, className: "self"}).addTo(this.map);
    this.fit(true);
  }

  /** A grid that takes the place of a street map, so that distances can be seen. */
  drawGrid() {
    const {L, map} = this;
    this.grid.clearLayers();
    if (this.hasStreets) return;
    const bounds = map.getBounds().pad(0.3);
    const width = metresBetween(
        {latitude: bounds.getCenter().lat, longitude: bounds.getWest()},
        {latitude: bounds.getCenter().lat, longitude: bounds.getEast()});
    const metres = niceStep(width / 8);
    const [rows, columns] =
        [metres / 111_195, metres / (111_195 * Math.max(0.05, Math.cos((bounds.getCenter().lat * Math.PI) / 180)))];
    const line = (/** @type {number[][]} */ points) =>
        L.polyline(points, {className: "grid-line", weight: 1, interactive: false}).addTo(this.grid);
    for (let latitude = Math.ceil(bounds.getSouth() / rows) * rows, n = 0; latitude < bounds.getNorth() && n < 60;
         latitude += rows, n++) {
      line([[latitude, bounds.getWest()], [latitude, bounds.getEast()]]);
    }
    for (let longitude = Math.ceil(bounds.getWest() / columns) * columns, n = 0; longitude < bounds.getEast() && n < 60;
         longitude += columns, n++) {
      line([[bounds.getSouth(), longitude], [bounds.getNorth(), longitude]]);
    }
  }
}

/**
 * @param {Sighting} sighting
 * @returns {[number, number]}
 */
function at({place}) { return [place.latitude, place.longitude]; }

/**
 * 1, 2 or 5 times a power of ten.
 *
 * @param {number} least
 */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
