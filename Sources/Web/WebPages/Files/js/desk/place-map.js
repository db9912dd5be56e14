import {h} from "../dom.js";
import {baseMap, leaflet} from "../trail/base.js";
import {tileset} from "../trail/tiles.js";

import {d} from "./text.js";

/** @typedef {import("./neighbours.js").Point} Point */

/** The most other stations that are drawn, the nearest of which help to find the place. */
const most = 2000;

/**
 * A map on which a place is chosen by a click or by dragging its mark. It starts when it is first seen, and ends when
 * its form leaves the page.
 */
export class PlaceMap {
  /** @param {(point: Point) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.element = h("div", {class: "map choose", role: "region", "aria-label": d.place.map});
    /** @type {Point | null} */
    this.point = null;
    /** @type {Point[]} */
    this.others = [];
    const size = new ResizeObserver(() => {
      if (this.element.isConnected) return this.element.clientWidth ? this.start() : undefined;
      // The first call may come before the form is in the page, which waits for other answers.
      if (!this.isStarted) return;
      size.disconnect();
      this.stop();
    });
    size.observe(this.element);
  }

  async start() {
    if (this.isStarted) return this.map?.invalidateSize();
    this.isStarted = true;
    const [L, tiles] = await Promise.all([leaflet().catch(() => null), tileset()]);
    if (this.isStopped) return;
    if (!L) return this.element.remove();
    this.L = L;
    const {map} = baseMap(L, this.element, tiles, undefined, {zoomAnimation: false, fadeAnimation: false});
    this.map = map;
    this.stations = L.layerGroup().addTo(map);
    map.on("click", (/** @type {any} */ event) => this.choose(event.latlng.wrap()));
    const control = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) =>
        h("button", {type: "button", "aria-label": label, title: label, onclick: act}, text);
    this.element.append(
        h("div", {class: "map-buttons"}, control("+", d.list.closer, () => map.zoomIn(1)),
          control("−", d.list.farther, () => map.zoomOut(1))));
    this.drawOthers();
    this.fit();
    this.drawMark();
  }

  stop() {
    this.isStopped = true;
    this.map?.remove();
    this.map = null;
  }

  /** @param {{lat: number, lng: number}} place */
  choose({lat, lng}) {
    // Five decimals are a metre.
    const point = {latitude: Number(lat.toFixed(5)), longitude: Number(lng.toFixed(5))};
    this.show(point, false);
    this.onChoose(point);
  }

  /**
   * @param {Point | null} point
   * @param {boolean} [isTyped] then the map goes there
   */
  show(point, isTyped = true) {
    this.point = point;
    this.drawMark();
    if (isTyped && point && this.map && !this.map.getBounds().pad(-0.1).contains([point.latitude, point.longitude]))
      this.fit();
  }

  /** @param {Point[]} others */
  setOthers(others) {
    this.others = others;
    this.drawOthers();
    if (!this.point) this.fit();
  }

  drawMark() {
    if (!this.map) return;
    if (!this.point) {
      this.mark?.remove();
      this.mark = null;
      return;
    }
    const at = [this.point.latitude, this.point.longitude];
    if (this.mark) return this.mark.setLatLng(at);
    const icon = this.L.divIcon({className: "place-mark", html: h("span", {}), iconSize: [44, 44]});
    this.mark = this.L.marker(at, {draggable: true, icon, title: d.place.mark, keyboard: false}).addTo(this.map);
    this.mark.on("dragend", () => this.choose(this.mark.getLatLng().wrap()));
  }

  drawOthers() {
    if (!this.map) return;
    this.stations.clearLayers();
    for (const {latitude, longitude} of this.others.slice(0, most))
      this.L.circleMarker([latitude, longitude], {radius: 5, className: "other-place", interactive: false})
          .addTo(this.stations);
  }

  /** Shows the chosen place, or all stations. */
  fit() {
    if (!this.map) return;
    if (this.point)
      return this.map.setView([this.point.latitude, this.point.longitude], Math.max(15, this.map.getZoom()));
    if (!this.others.length) return;
    const bounds = this.L.latLngBounds(this.others.map(({latitude, longitude}) => [latitude, longitude]));
    this.map.fitBounds(bounds, {padding: [30, 30], maxZoom: 15, animate: false});
  }
}
