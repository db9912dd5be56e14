import {h} from "./dom.js";

/** The longer side of a bike's photo that is sent, in pixels; the registry keeps no larger one. */
const largest = 1600;

/** A photo in a format that this browser cannot read, and that the registry does not accept. */
export class UnreadablePhoto extends Error {}

/**
 * A photo as JPEG, upright and small enough for a slow connection. A file that this browser cannot read, or only a part
 * of, is sent as it is, since the registry says what is wrong with it; but not one of the format of iPhones, which
 * takes long to send and is refused then.
 *
 * @param {File} file
 * @param {number} [longest] the longer side in pixels
 * @returns {Promise<Blob>}
 */
export async function shrunk(file, longest = largest) {
  const image =
      await isWithoutEnd(file) ? null : await createImageBitmap(file).catch(() => element(file)).catch(() => null);
  if (!image) {
    if (await isHEIF(file)) throw new UnreadablePhoto();
    return file.slice(0, file.size, "image/jpeg");
  }
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = h("canvas", {width: Math.round(image.width * scale), height: Math.round(image.height * scale)});
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  if (image instanceof ImageBitmap) image.close();
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return blob ?? file;
}

/**
 * A photo as the browser shows it: some show formats that they give no bitmap of.
 *
 * @param {File} file
 * @returns {Promise<HTMLImageElement>}
 */
async function element(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = h("img", {src: address});
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Whether a file is HEIC or HEIF: its first box is of the type `ftyp`, with one of their brands (ISO/IEC 23008-12).
 *
 * @param {File} file
 */
async function isHEIF(file) {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return /^ftyp(hei|hev|mif1|msf1)/.test(String.fromCharCode(...head.slice(4)));
}

/**
 * Whether a JPEG file has no mark of its end after the picture's first data. Then a part may be missing, which browsers
 * show grey, perhaps unnoticed. The segments before this data say how long they are, and may themselves hold a small
 * picture (ITU-T T.81, annex B).
 *
 * @param {File} file
 */
async function isWithoutEnd(file) {
  const data = new DataView(await file.arrayBuffer());
  const [begin, end, scan, fill] = [0xffd8, 0xffd9, 0xffda, 0xffff];
  const last = data.byteLength - 2;
  if (last < 0 || data.getUint16(0) !== begin) return false;
  let at = 2;
  while (at <= last - 2 && data.getUint16(at) !== scan) {
    if (data.getUint8(at) !== 0xff) return false;
    at += data.getUint16(at) === fill ? 1 : 2 + data.getUint16(at + 2);
  }
  while (at <= last && data.getUint16(at) !== end) at += 1;
  return at > last;
}
