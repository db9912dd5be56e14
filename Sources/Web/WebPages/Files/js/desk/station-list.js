import {fill, h} from "../dom.js";
import {ago} from "../format.js";

import {stateChip} from "./parts.js";
import {d} from "./text.js";

/** @typedef {import("./stations.js").Row} Row */

/** The rows that are drawn above and below those that are seen. */
const spare = 6;

/**
 * A list of any number of stations that draws only what is seen. One row at a time is a stop of the Tab key; arrow keys
 * move from row to row.
 */
export class StationList {
  /** @param {(row: Row) => void} onFocus called for the row that has the focus */
  constructor(onFocus) {
    this.onFocus = onFocus;
    /** @type {Row[]} */
    this.rows = [];
    /** The row that the Tab key leads to. */
    this.active = 0;
    /** @type {Map<number, HTMLLIElement>} */
    this.drawn = new Map();
    this.pending = 0;
    this.list = h("ul", {"aria-label": d.list.label});
    this.element =
        h("div", {
          class: "station-list",
          onscroll: () => this.later(),
          onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event)
        },
          this.list);
    this.resize = new ResizeObserver(() => this.render());
    this.resize.observe(this.element);
  }

  stop() {
    cancelAnimationFrame(this.pending);
    this.resize.disconnect();
  }

  /**
   * Shows other stations, from the first one on.
   *
   * @param {Row[]} rows
   */
  show(rows) {
    this.rows = rows;
    this.active = 0;
    this.drawn.clear();
    fill(this.list);
    const height = rows.length * this.rowHeight;
    this.list.style.height = `${height}px`;
    // No empty space below a few rows; two pixels are the border.
    this.element.style.maxHeight = `${height + 2}px`;
    this.element.scrollTop = 0;
    this.render();
  }

  /** In pixels; the style sheet sets it in units of the font. */
  get rowHeight() { return 3 * parseFloat(getComputedStyle(document.documentElement).fontSize); }

  later() {
    this.pending ||= requestAnimationFrame(() => {
      this.pending = 0;
      this.render();
    });
  }

  render() {
    const {scrollTop, clientHeight} = this.element;
    const height = this.rowHeight;
    const [top, bottom] = [Math.floor(scrollTop / height), Math.ceil((scrollTop + clientHeight) / height)];
    const focused = this.drawn.get(this.active)?.contains(document.activeElement);
    if (!focused && (this.active < top || this.active >= bottom))
      this.activate(Math.max(0, Math.min(top, this.rows.length - 1)));
    const [first, last] = [Math.max(0, top - spare), Math.min(this.rows.length, bottom + spare)];
    for (const [index, item] of this.drawn) {
      if ((index >= first && index < last) || index === this.active) continue;
      item.remove();
      this.drawn.delete(index);
    }
    for (let index = first; index < last; index++) this.draw(index, height);
    if (this.active < this.rows.length) this.draw(this.active, height);
  }

  /**
   * @param {number} index
   * @param {number} height
   */
  draw(index, height) {
    if (this.drawn.has(index)) return;
    const row = this.rows[index];
    const item = h(
        "li", {"aria-setsize": this.rows.length, "aria-posinset": index + 1},
        h("a", {
          href: `/desk/stations/${row.id}`,
          tabindex: index === this.active ? 0 : -1,
          onfocus: () => {
            this.activate(index);
            this.onFocus(row);
          }
        },
          h("span", {class: "name"}, row.name),
          row.state === "silent" && row.last && h("span", {class: "small soft"}, ago(row.last)), stateChip(row.state)));
    item.style.top = `${index * height}px`;
    this.drawn.set(index, item);
    // In the order of the list, for screen readers.
    const next = [...this.drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.list.insertBefore(item, this.drawn.get(next) ?? null);
  }

  /** @param {number} index of the row that the Tab key leads to from now on */
  activate(index) {
    this.drawn.get(this.active)?.firstElementChild?.setAttribute("tabindex", "-1");
    this.active = index;
    this.drawn.get(index)?.firstElementChild?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const steps = /** @type {Record<string, number>} */ (
        {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length});
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.focus(Math.max(0, Math.min(this.rows.length - 1, this.active + step)));
  }

  /**
   * Moves the focus to a row, which scrolls into view.
   *
   * @param {number} index
   */
  focus(index) {
    if (!this.rows[index]) return;
    const height = this.rowHeight;
    const {scrollTop, clientHeight} = this.element;
    if (index * height < scrollTop)
      this.element.scrollTop = index * height;
    else if ((index + 1) * height > scrollTop + clientHeight)
      this.element.scrollTop = (index + 1) * height - clientHeight;
    this.draw(index, height);
    /** @type {HTMLElement | null | undefined} */ (this.drawn.get(index)?.firstElementChild)?.focus({
      preventScroll: true
    });
    this.render();
  }
}
