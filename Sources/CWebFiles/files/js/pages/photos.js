import {all, call, send} from "../api.js";
import {h} from "../dom.js";
import {askRemoval, may} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

/** The longer side of a photo that is sent, in pixels; the registry keeps no larger one. */
const longest = 1600;
const most = 6;

/**
 * A bike's photos: shown, added from the phone, removed.
 *
 * @param {string} id the bike's
 * @param {Promise<import("../parts.js").Bike>} bike
 */
export async function photos(id, bike) {
  const path = `/v1/bikes/${id}/photos`;
  const list = h("ul", {class: "photos"});
  const place = h("section", {class: "stack", "aria-label": t.bikes.photo, "data-part": "photos"}, list);
  const shown = await all(path).catch(() => []);
  const canChange = may(await bike, "manage");
  const picker = h("input", {
    type: "file",
    accept: "image/*",
    class: "visually-hidden",
    tabindex: -1,
    "aria-hidden": "true",
    onchange: () => attempt(
        place,
        async () => {
          const file = picker.files?.[0];
          if (!file) return;
          const response = await send("POST", path, {form: await shrunk(file), key: crypto.randomUUID()});
          list.append(item(path, await response.json(), canChange, add, update));
          picker.value = "";
          update();
        })
  });
  const add = h("button", {type: "button", class: "add", onclick: () => picker.click()}, t.photos.add);
  const update = () => {
    add.hidden = list.children.length >= most;
  };
  list.append(...shown.map((photo) => item(path, photo, canChange, add, update)));
  if (canChange) place.append(picker, add);
  update();
  return place;
}

/**
 * @param {string} path
 * @param {any} photo
 * @param {boolean} canRemove
 * @param {HTMLElement} next gets the focus after a removal
 * @param {() => void} removed
 */
function item(path, photo, canRemove, next, removed) {
  const address = `${path}/${photo.id}`;
  const place = h("li", {});
  const image = h("img", {
    src: `${address}?size=small`,
    alt: t.bikes.photo,
    width: photo.width,
    height: photo.height,
    loading: "lazy",
    onerror: () => image.replaceWith(h("span", {class: "no-photo small soft"}, t.photos.unread))
  });
  place.append(h("a", {href: address, target: "_blank"}, image));
  if (!canRemove) return place;
  place.append(
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
  return place;
}

/**
 * A photo as JPEG, upright and small enough for a slow connection. A file that this browser cannot read is sent as it
 * is: the registry says what is wrong with it.
 *
 * @param {File} file
 * @returns {Promise<Blob>}
 */
async function shrunk(file) {
  const image = await createImageBitmap(file).catch(() => null);
  if (!image) return file.slice(0, file.size, "image/jpeg");
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = h("canvas", {width: Math.round(image.width * scale), height: Math.round(image.height * scale)});
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return blob ?? file;
}
