import {all, call, Problem} from "../api.js";
import {fill, h} from "../dom.js";
import {askRemoval, may} from "../parts.js";
import {shrunk, UnreadablePhoto} from "../pictures.js";
import {attempt, problemText} from "../problems.js";
import {t} from "../text.js";
import {upload} from "../upload.js";

const most = 6;

/**
 * A bike's photos: shown, added from the phone, shown to staff of venues, removed.
 *
 * @param {import("../parts.js").Bike} bike
 */
export async function photos(bike) {
  const path = `/v1/bikes/${bike.id}/photos`;
  const list = h("ul", {class: "photos"});
  const place = h("section", {class: "stack", "aria-label": t.bikes.photo, "data-part": "photos"}, list);
  const shown = await all(path).catch(() => []);
  const canChange = may(bike, "manage");
  const picker = h("input", {
    type: "file",
    accept: "image/*",
    multiple: true,
    class: "visually-hidden",
    tabindex: -1,
    "aria-hidden": "true",
    onchange: () => {
      const files = [...picker.files ?? []];
      picker.value = "";
      take(files);
    }
  });
  const add = h("button", {type: "button", class: "add", onclick: () => picker.click()}, t.photos.add);
  const note = h("p", {class: "small soft", role: "status"});
  const hint = h("p", {class: "small soft"}, t.photos.staffHint);
  const update = () => {
    add.hidden = list.children.length >= most;
    hint.hidden = list.children.length === 0;
  };
  const added = (/** @type {any} */ photo) => item(path, photo, canChange, add, update);
  /** The end of the files that are being sent: one at a time, since the registry takes one of an owner at a time. */
  let last = Promise.resolve();
  const take = (/** @type {File[]} */ files) => {
    const room = most - list.children.length;
    fill(note, files.length > room && t.photos.room(most));
    for (const file of files.slice(0, room)) {
      const tile = new Sending(path, file, added, update);
      list.append(tile.element);
      keepOpen(1);
      last = last.then(() => tile.send()).finally(() => keepOpen(-1));
    }
    update();
  };
  list.append(...shown.map(added));
  if (canChange) place.append(hint, picker, add, note);
  update();
  return place;
}

/** The number of photos that are on their way; they go on when another of the owner's pages is shown. */
let pending = 0;

/**
 * Lets the browser ask before it leaves, as long as photos are on their way.
 *
 * @param {number} more
 */
function keepOpen(more) {
  pending += more;
  if (pending)
    addEventListener("beforeunload", warn);
  else
    removeEventListener("beforeunload", warn);
}

/** @param {BeforeUnloadEvent} event */
function warn(event) { event.preventDefault(); }

/** A photo that is being sent: it is shown immediately, with its progress. If it failed, it stays, with what to do. */
class Sending {
  /**
   * @param {string} path
   * @param {File} file
   * @param {(photo: any) => HTMLElement} added makes what takes its place
   * @param {() => void} update
   */
  constructor(path, file, added, update) {
    this.path = path;
    this.file = file;
    this.added = added;
    this.update = update;
    this.blob = /** @type {Blob | null} */ (null);
    this.isLeft = false;
    this.key = crypto.randomUUID();
    this.frame = h("div", {class: "frame"});
    this.state = h("div", {class: "stack small"});
    this.element = h("li", {}, this.frame, this.state);
    this.address = "";
    this.say(t.photos.waits);
  }

  /** @param {string} text */
  say(text) { fill(this.state, h("p", {class: "soft"}, text)); }

  /**
   * Converts and sends the photo; a second time with the same key, so it is stored once.
   *
   * @returns {Promise<void>}
   */
  async send() {
    if (this.isLeft) return;
    this.say(t.photos.prepares);
    try {
      this.blob ??= await shrunk(this.file);
      this.show();
      const bar = h("progress", {max: 1, value: 0, "aria-label": t.photos.sends});
      const text = h("p", {class: "soft"}, t.photos.sends);
      fill(this.state, bar, text);
      const photo = await upload(this.path, this.blob, this.key, (part) => {
        bar.value = part;
        // The registry converts the photo once it has all of it.
        if (part === 1) fill(text, t.photos.stores);
      });
      this.leave(this.added(photo));
    } catch (error) {
      if (error instanceof Problem && error.status === 401) {
        const {signInAgain} = await import("./sign-in.js");
        if (await signInAgain()) return this.send();
      }
      this.fail(error instanceof UnreadablePhoto ? t.photos.heic : problemText(error));
    }
  }

  /** Shows the photo from this device. */
  show() {
    if (this.address || !this.blob) return;
    this.address = URL.createObjectURL(this.blob);
    const image = h("img", {src: this.address, alt: t.photos.sending, onerror: () => image.remove()});
    this.frame.append(image);
  }

  /** @param {string} text */
  fail(text) {
    fill(
        this.state, h("p", {class: "fault", role: "alert"}, text),
        h("div", {class: "row"}, h("button", {type: "button", onclick: () => this.send()}, t.again),
          h("button", {type: "button", class: "plain", onclick: () => this.leave()}, t.photos.leave)));
  }

  /** @param {HTMLElement} [next] what takes its place */
  leave(next) {
    this.isLeft = true;
    if (next)
      this.element.replaceWith(next);
    else
      this.element.remove();
    URL.revokeObjectURL(this.address);
    this.update();
  }
}

/**
 * @param {string} path
 * @param {any} photo
 * @param {boolean} canChange
 * @param {HTMLElement} next gets the focus after a removal
 * @param {() => void} removed
 */
function item(path, photo, canChange, next, removed) {
  const address = `${path}/${photo.id}`;
  const image = h("img", {
    src: `${address}?size=small`,
    alt: t.bikes.photo,
    width: photo.width,
    height: photo.height,
    loading: "lazy",
    onerror: () => image.replaceWith(h("span", {class: "no-photo small soft"}, t.photos.unread))
  });
  const frame = h("div", {class: "frame"}, h("a", {href: address, target: "_blank"}, image));
  const place = h("li", {}, frame);
  if (!canChange) return place;
  frame.append(
      h("button", {
        type: "button",
        "aria-label": t.photos.remove,
        title: t.photos.remove,
        onclick: () => askRemoval(
            t.sure.photo.title, t.sure.photo.lead, t.photos.remove,
            async () => {
              await call("DELETE", address);
              place.remove();
              removed();
            },
            next)
      },
        "×"));
  place.append(consent(address, photo));
  return place;
}

/**
 * Whether staff of a venue see the photo while the missing bike is there. The box shows what the registry has stored.
 *
 * @param {string} address
 * @param {any} photo
 */
function consent(address, photo) {
  const box = h("input", {type: "checkbox", checked: photo.forStaff === true});
  const saved = h("span", {class: "small soft", role: "status"});
  const place = h("div", {}, h("label", {class: "check small"}, box, h("span", {}, t.photos.staff)), saved);
  box.addEventListener("change", () => {
    const wanted = box.checked;
    fill(saved);
    attempt(place, async () => {
      try {
        await call("PUT", `${address}/consent`, {body: {forStaff: wanted}});
        fill(saved, wanted ? t.photos.shown : t.photos.hidden);
      } catch (error) {
        box.checked = !wanted;
        throw error;
      }
    });
  });
  return place;
}
