import {h} from "../dom.js";
import {baseMap, leaflet} from "../trail/base.js";
import {tileset} from "../trail/tiles.js";

import {number} from "./numbers.js";
import {d} from "./text.js";

/** @typedef {import("./stations.js").Row} Row */
/** @typedef {{x: number, y: number, radius: number, rows: Row[], broken: number, fresh: number}} Group in pixels */

/** Stations whose places are nearer to each other than this are drawn as one, in pixels. */
const cell = 52;
/** The part of the map's size that is drawn beyond each of its edges, so that it can be moved a bit. */
const margin = 0.25;
const colours = /** @type {const} */ (["accent", "accent-ink", "alarm", "warn", "paper", "ink"]);

/**
 * A map of any number of stations, drawn on one canvas; stations that are near to each other are one circle with their
 * number.
 */
export class StationMap {
  /** @param {(rows: Row[]) => void} onSelect called for the stations at the place that a person chose */
  constructor(onSelect) {
    this.onSelect = onSelect;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Group[]} */
    this.groups = [];
    /** @type {Row | null} */
    this.marked = null;
    this.element = h("div", {class: "map", role: "region", "aria-label": d.list.map});
    this.canvas = h("canvas", {"aria-hidden": "true"});
    this.pending = 0;
    // Several changes together cause one drawing, in the same frame.
    this.redraw = () => {
      this.pending ||= requestAnimationFrame(() => {
        this.pending = 0;
        this.draw();
      });
    };
  }

  /** Begins to draw; the element is in the page now. The page does not wait for the library. */
  async start() {
    const [L, tiles] = await Promise.all([leaflet().catch(() => null), tileset()]);
    if (this.isStopped) return;
    if (!L) return this.element.remove();
    this.L = L;
    const {map} = baseMap(L, this.element, tiles, undefined, {zoomAnimation: false, fadeAnimation: false});
    this.map = map;
    // Above the lines of the grid.
    map.getPanes().markerPane.append(this.canvas);
    map.on("moveend resize", this.redraw);
    map.on("click", (/** @type {any} */ event) => this.select(event.layerPoint));
    map.on("mousemove", (/** @type {any} */ event) => {
      this.element.style.cursor = this.groupAt(event.layerPoint) ? "pointer" : "";
    });
    const control = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) =>
        h("button", {type: "button", "aria-label": label, title: label, onclick: act}, text);
    this.element.append(
        h("div", {class: "map-buttons"}, control("+", d.list.closer, () => map.zoomIn()),
          control("−", d.list.farther, () => map.zoomOut()), control("⤢", d.list.fit, () => this.fit())));
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", this.redraw);
    this.resize = new ResizeObserver(() => map.invalidateSize());
    this.resize.observe(this.element);
    this.fit();
  }

  stop() {
    this.isStopped = true;
    cancelAnimationFrame(this.pending);
    this.dark?.removeEventListener("change", this.redraw);
    this.resize?.disconnect();
    this.map?.remove();
  }

  /**
   * Shows other stations. They are drawn a frame later than what a person typed.
   *
   * @param {Row[]} rows
   */
  show(rows) {
    this.rows = rows;
    this.marked = null;
    setTimeout(this.redraw);
  }

  /**
   * Shows where a station is.
   *
   * @param {Row | null} row
   */
  mark(row) {
    this.marked = row;
    this.redraw();
  }

  /** Shows all stations. */
  fit(rows = this.rows) {
    if (!this.map || !rows.length) return;
    let [west, north, east, south] = [1, 1, 0, 0];
    for (const {x, y} of rows) {
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, y), Math.max(south, y)];
    }
    const corner = (/** @type {number} */ x, /** @type {number} */ y) =>
        this.map.unproject(this.L.point(x * 256, y * 256), 0);
    this.map.fitBounds([corner(west, south), corner(east, north)], {padding: [40, 40], maxZoom: 16, animate: false});
    this.redraw();
  }

  draw() {
    const {L, map, canvas} = this;
    if (!map || this.isStopped) return;
    const size = map.getSize();
    if (!size.x) return;
    const ratio = devicePixelRatio || 1;
    const corner = map.containerPointToLayerPoint(size.multiplyBy(-margin)).round();
    const [width, height] = [Math.round(size.x * (1 + 2 * margin)), Math.round(size.y * (1 + 2 * margin))];
    L.DomUtil.setPosition(canvas, corner);
    // Setting the size also empties the canvas.
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
    const context = canvas.getContext("2d");
    if (!context) return;
    const scale = 256 * 2 ** map.getZoom();
    const origin = map.getPixelOrigin();
    this.groups = grouped(this.rows, scale, origin.x, origin.y, corner, width, height);
    context.scale(ratio, ratio);
    context.translate(-corner.x, -corner.y);
    paint(context, this.groups, palette(this.element));
    if (this.marked)
      ring(context, this.marked.x * scale - origin.x, this.marked.y * scale - origin.y, palette(this.element).ink);
  }

  /** @param {{x: number, y: number}} point */
  groupAt({x, y}) {
    return this.groups.find((group) => Math.hypot(group.x - x, group.y - y) <= Math.max(12, group.radius));
  }

  /** @param {{x: number, y: number}} point */
  select(point) {
    const group = this.groupAt(point);
    if (!group) return;
    const {rows} = group;
    const before = this.map.getZoom();
    if (rows.length > 1 && before < 16) this.fit(rows);
    if (rows.length === 1 || this.map.getZoom() === before) this.onSelect(rows);
  }
}

/**
 * The stations in view, those in the same square of the map together.
 *
 * @param {Row[]} rows
 * @param {number} scale
 * @param {number} left of the map's own coordinates, in pixels of the world
 * @param {number} top
 * @param {{x: number, y: number}} corner
 * @param {number} width
 * @param {number} height
 */
function grouped(rows, scale, left, top, corner, width, height) {
  /** @type {Map<number, Group>} */
  const groups = new Map();
  const columns = Math.ceil(scale / cell) + 1;
  for (const row of rows) {
    const [worldX, worldY] = [row.x * scale, row.y * scale];
    const [x, y] = [worldX - left, worldY - top];
    if (x < corner.x || y < corner.y || x > corner.x + width || y > corner.y + height) continue;
    const key = Math.floor(worldY / cell) * columns + Math.floor(worldX / cell);
    let group = groups.get(key);
    if (!group) groups.set(key, group = {x: 0, y: 0, radius: 0, rows: [], broken: 0, fresh: 0});
    group.x += x;
    group.y += y;
    group.rows.push(row);
    if (row.state === "silent" || row.state === "deaf") group.broken++;
    if (row.state === "new") group.fresh++;
  }
  for (const group of groups.values()) {
    const count = group.rows.length;
    group.x /= count;
    group.y /= count;
    group.radius = count === 1 ? 7 : Math.min(26, 12 + 3 * Math.log10(count) * 1.6);
  }
  return [...groups.values()];
}

/**
 * @param {HTMLElement} element
 * @returns {Record<typeof colours[number], string>}
 */
function palette(element) {
  const style = getComputedStyle(element);
  return /** @type {any} */ (
      Object.fromEntries(colours.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Group[]} groups
 * @param {ReturnType<typeof palette>} colour
 */
function paint(context, groups, colour) {
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 2;
  for (const {x, y, radius, rows, broken, fresh} of groups) {
    context.beginPath();
    if (rows.length === 1) {
      symbol(context, x, y, rows[0].state, colour);
      continue;
    }
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colour.accent;
    context.fill();
    // The parts that do not work and that are new, as parts of a ring.
    const full = 2 * Math.PI;
    const start = -Math.PI / 2;
    context.lineWidth = 5;
    arc(context, x, y, radius, start, full, colour.paper);
    arc(context, x, y, radius, start, Math.max((full * broken) / rows.length, broken ? 0.5 : 0), colour.alarm);
    arc(context, x, y, radius, start, -Math.max((full * fresh) / rows.length, fresh ? 0.5 : 0), colour.warn);
    context.lineWidth = 2;
    context.fillStyle = colour["accent-ink"];
    context.fillText(number(rows.length), x, y + 0.5);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} start
 * @param {number} length in radians; negative ones run against the clock
 * @param {string} colour
 */
function arc(context, x, y, radius, start, length, colour) {
  if (!length) return;
  context.beginPath();
  context.arc(x, y, radius, start, start + length, length < 0);
  context.strokeStyle = colour;
  context.stroke();
}

/**
 * One station; its state shows in the form, too, not only in the colour.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {Row["state"]} state
 * @param {ReturnType<typeof palette>} colour
 */
function symbol(context, x, y, state, colour) {
  context.beginPath();
  if (state === "silent") {
    context.moveTo(x, y - 8);
    context.lineTo(x + 8, y + 6);
    context.lineTo(x - 8, y + 6);
    context.closePath();
  } else if (state === "deaf") {
    context.rect(x - 6, y - 6, 12, 12);
  } else {
    context.arc(x, y, 6, 0, 2 * Math.PI);
  }
  const fills = {silent: colour.alarm, deaf: colour.alarm, new: colour.paper, listening: colour.accent};
  context.fillStyle = fills[state];
  context.strokeStyle = state === "new" ? colour.warn : colour.paper;
  context.fill();
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 */
function ring(context, x, y, colour) {
  context.lineWidth = 3;
  arc(context, x, y, 15, 0, 2 * Math.PI, colour);
}
