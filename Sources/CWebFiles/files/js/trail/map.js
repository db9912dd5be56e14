import {h} from "../dom.js";
import {ago} from "../format.js";
import {t} from "../text.js";

import {baseMap, leaflet} from "./base.js";
import {believable, latestFirst, radius} from "./stays.js";
import {tileset} from "./tiles.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

/** The number of stays on a map, the latest ones: more would slow a phone down, and nobody could tell them apart. */
const most = 300;

/** A map of a trail: stays as circles of their accuracy, their path in order, and the person's own position. */
export class TrailMap {
  /** @param {string} [secret] of the link through which the trail is seen; without it the session counts */
  constructor(secret) {
    this.secret = secret;
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
    const {map, drawGrid} = baseMap(L, this.element, tiles, this.secret);
    this.map = map;
    this.drawGrid = drawGrid;
    this.trail = L.layerGroup().addTo(this.map);
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
    this.drawGrid?.();
  }

  /** @param {{latitude: number, longitude: number}} place */
  showSelf(place) {
    this.place = place;
    if (!this.map) return;
    this.self?.remove();
    this.self = this.L.circleMarker([place.latitude, place.longitude], {radius: 8, className: "self"}).addTo(this.map);
    this.fit(true);
  }
}

/**
 * @param {Sighting} sighting
 * @returns {[number, number]}
 */
function at({place}) { return [place.latitude, place.longitude]; }
