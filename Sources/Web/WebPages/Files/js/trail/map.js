import {h} from "../dom.js";
import {ago, distance} from "../format.js";
import {t} from "../text.js";

import {baseMap, leaflet} from "./base.js";
import {believable, latestFirst, radius} from "./stays.js";
import {tileset} from "./tiles.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

/** The number of stays on a map, the latest ones: more would slow a phone down, and could not be distinguished. */
const most = 300;
/** The number of places with a name on a map without streets, the latest ones, and where the names stand in turn. */
const [mostNames, sides] = [6, /** @type {const} */ (["top", "bottom", "right", "left"])];

/**
 * A map of a trail: stays as circles in which the bike was, their path in order, and the person's own position. Without
 * streets it is low, names the places and draws no path, which would look like a road.
 */
export class TrailMap {
  /**
   * @param {string} [secret] of the link through which the trail is seen; without it the session counts
   * @param {() => void} [locate] called when the person wants to see their own position; without it they cannot
   */
  constructor(secret, locate) {
    this.secret = secret;
    this.locate = locate;
    /** @type {Sighting[]} */
    this.sightings = [];
    this.place = h("div", {class: "map", role: "region", "aria-label": t.trail.map});
    this.element =
        h("figure", {class: "map-figure"}, this.place, h("figcaption", {class: "small soft"}, t.trail.circle));
    this.isFitted = false;
    // With the page's other requests, so that the map has its height from the beginning.
    this.tiles = tileset(secret);
    this.sized = this.tiles.then((tiles) => this.place.classList.toggle("tall", tiles !== null));
  }

  /** Begins to draw; the element is in the page now. The page does not wait for the library. */
  async start() {
    const [L, tiles] = await Promise.all([leaflet().catch(() => null), this.tiles, this.sized]);
    this.L = L;
    if (this.isStopped) return;
    if (!L) return this.element.remove();
    const {map, drawGrid} = baseMap(L, this.place, tiles, this.secret);
    this.map = map;
    this.drawGrid = drawGrid;
    this.trail = L.layerGroup().addTo(this.map);
    this.place.append(this.buttons(tiles !== null));
    this.resize = new ResizeObserver(() => {
      this.map.invalidateSize();
      this.fit(false);
    });
    this.resize.observe(this.place);
    this.draw(this.sightings);
    if (this.position) this.showSelf(this.position);
  }

  /** @param {boolean} hasTiles */
  buttons(hasTiles) {
    const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {() => void} */ act) =>
        h("button", {type: "button", "aria-label": name, title: name, onclick: act}, sign);
    return h(
        "div", {class: "map-buttons"}, hasTiles && button(t.trail.closer, "+", () => this.map.zoomIn(1)),
        hasTiles && button(t.trail.farther, "−", () => this.map.zoomOut(1)),
        this.locate && button(t.trail.whereAmI, "◎", this.locate), button(t.trail.fit, "⤢", () => this.fit(true)));
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
      circle.bindPopup(
          h("div", {}, h("strong", {}, sighting.station.name), h("br"), ago(sighting.lastSeen), h("br"),
            t.trail.within(distance(radius(sighting)))));
      L.circleMarker(at(sighting), {radius: 4, className: `${className} centre`, interactive: false}).addTo(this.trail);
    }
    this.drawNames(ordered, latest);
    this.bounds = L.latLngBounds(ordered.map(at));
    // A new place must be on the map, even if the person has moved it.
    const isElsewhere = latest && latest.id !== this.latest && !this.map.getBounds().contains(at(latest));
    this.latest = latest?.id;
    this.fit(Boolean(isElsewhere));
  }

  /**
   * Names the latest place, and without streets the others, too.
   *
   * @param {Sighting[]} ordered the latest last
   * @param {Sighting | undefined} latest
   */
  drawNames(ordered, latest) {
    const places = new Map(ordered.map((sighting) => [sighting.station.name, sighting]));
    const others = latestFirst([...places.values()]).filter(({station}) => station.name !== latest?.station.name);
    [latest, ...others].slice(0, mostNames).forEach((sighting, index) => {
      if (!sighting) return;
      // “auto” turns the name towards the middle, where there is room for it.
      const direction = sighting === latest ? "auto" : sides[index % sides.length];
      const className = sighting === latest ? "label-pin latest" : "label-pin";
      const offset = direction === "top" ? [0, -6] : direction === "bottom" ? [0, 6] : [0, 0];
      this.L.tooltip({permanent: true, direction, offset, className})
          .setLatLng(at(sighting))
          .setContent(h("span", {}, sighting.station.name))
          .addTo(this.trail);
    });
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
    // The scale is above, and the map's maker below.
    this.map.fitBounds(all, {paddingTopLeft: [28, 36], paddingBottomRight: [28, 32], maxZoom: 16, animate: false});
    this.drawGrid?.();
  }

  /** @param {{latitude: number, longitude: number}} position */
  showSelf(position) {
    this.position = position;
    if (!this.map) return;
    this.self?.remove();
    const {latitude, longitude} = position;
    this.self = this.L.circleMarker([latitude, longitude], {radius: 8, className: "self"}).addTo(this.map);
    this.fit(true);
  }
}

/**
 * @param {Sighting} sighting
 * @returns {[number, number]}
 */
function at({place}) { return [place.latitude, place.longitude]; }
