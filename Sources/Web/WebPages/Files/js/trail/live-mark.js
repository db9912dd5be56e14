import {fill, h} from "../dom.js";
import {clock} from "../format.js";
import {t} from "../text.js";

/** The milliseconds for which a page may connect before it says that there is no connection. */
const patience = 8000;

/** Whether a trail is shown as it happens, and since when not. */
export class LiveMark {
  constructor() {
    this.element = h("span", {class: "live", "aria-live": "polite"}, t.trail.connecting);
    this.timer = 0;
  }

  /**
   * @param {boolean} isLive
   * @param {Date} since when something last arrived
   */
  set(isLive, since) {
    this.element.classList.toggle("on", isLive);
    if (isLive) {
      this.stop();
      this.element.classList.remove("lost");
      return this.show(t.trail.live);
    }
    if (this.timer) return;
    this.show(t.trail.connecting);
    this.timer = setTimeout(() => {
      this.element.classList.add("lost");
      this.show(t.trail.lost(clock(since)));
    }, patience);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /** @param {string} text */
  show(text) {
    if (this.element.textContent !== text) fill(this.element, text);
  }
}
