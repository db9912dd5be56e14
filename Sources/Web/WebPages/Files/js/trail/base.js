import {h} from "../dom.js";

import {metresBetween} from "./stays.js";
import {drawTiles} from "./tiles.js";

const style = "/assets/vendor/leaflet/leaflet.css";
const script = "/assets/vendor/leaflet/leaflet.js";

/**
 * Loads the map library when the first map is shown.
 *
 * @returns {Promise<any>}
 */
export async function leaflet() {
  if (!document.getElementById("leaflet-style"))
    document.head.append(h("link", {id: "leaflet-style", rel: "stylesheet", href: style}));
  await import(script);
  return /** @type {any} */ (globalThis).L;
}

/**
 * A map with the registry's tiles, or a grid in their place.
 *
 * @param {any} L
 * @param {HTMLElement} element
 * @param {import("./tiles.js").Tileset | null} tiles
 * @param {string} [secret] of the link through which the map is seen; without it the session counts
 * @param {Record<string, any>} [options] of the library
 * @returns {{map: any, drawGrid: () => void}}
 */
export function baseMap(L, element, tiles, secret, options) {
  // Between whole levels tiles are a little soft, but the trail gets the whole width.
  const map = L.map(
      element, {attributionControl: false, zoomControl: false, zoomSnap: 0.25, minZoom: 3, maxZoom: 19, ...options});
  map.setView([20, 0], 3);
  L.control.scale({position: "topleft", imperial: false, maxWidth: 120}).addTo(map);
  const grid = L.layerGroup().addTo(map);
  let hasStreets = false;
  const drawGrid = () => {
    grid.clearLayers();
    if (!hasStreets) lines(L, map, grid);
  };
  map.on("moveend", drawGrid);
  if (tiles)
    drawTiles(L, map, tiles, secret, (isShown) => {
      if (hasStreets === isShown) return;
      hasStreets = isShown;
      drawGrid();
    });
  return {map, drawGrid};
}

/**
 * A grid that takes the place of a street map, so that distances can be seen.
 *
 * @param {any} L
 * @param {any} map
 * @param {any} grid
 */
function lines(L, map, grid) {
  const bounds = map.getBounds().pad(0.3);
  const width = metresBetween(
      {latitude: bounds.getCenter().lat, longitude: bounds.getWest()},
      {latitude: bounds.getCenter().lat, longitude: bounds.getEast()});
  const metres = niceStep(width / 8);
  const [rows, columns] =
      [metres / 111_195, metres / (111_195 * Math.max(0.05, Math.cos((bounds.getCenter().lat * Math.PI) / 180)))];
  const line = (/** @type {number[][]} */ points) =>
      L.polyline(points, {className: "grid-line", weight: 1, interactive: false}).addTo(grid);
  for (let latitude = Math.ceil(bounds.getSouth() / rows) * rows, n = 0; latitude < bounds.getNorth() && n < 60;
       latitude += rows, n++) {
    line([[latitude, bounds.getWest()], [latitude, bounds.getEast()]]);
  }
  for (let longitude = Math.ceil(bounds.getWest() / columns) * columns, n = 0; longitude < bounds.getEast() && n < 60;
       longitude += columns, n++) {
    line([[bounds.getSouth(), longitude], [bounds.getNorth(), longitude]]);
  }
}

/**
 * 1, 2 or 5 times a power of ten.
 *
 * @param {number} least
 */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
