import {h} from "./dom.js";

/** The longer side of a bike's photo that is sent, in pixels; the registry keeps no larger one. */
const largest = 1600;

/**
 * A photo that cannot be sent: in a format that this browser cannot read and the registry does not accept, or half of
 * one.
 */
export class UnreadablePhoto extends Error {
  /** @param {"heic" | "cut"} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * A photo as JPEG, upright and small enough for a slow connection. A file that this browser cannot read is sent as it
 * is, since the registry says what is wrong with it; but not one of the format of iPhones, which takes long to send and
 * is refused then. Nor is a JPEG file sent that ends early: browsers show its rest grey, and nobody might notice.
 *
 * @param {File} file
 * @param {number} [longest] the longer side in pixels
 * @returns {Promise<Blob>}
 */
export async function shrunk(file, longest = largest) {
  if (await isCut(file)) throw new UnreadablePhoto("cut");
  const image = await createImageBitmap(file).catch(() => element(file)).catch(() => null);
  if (!image) {
    if (await isHEIF(file)) throw new UnreadablePhoto("heic");
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
 * Whether a JPEG file ends before its picture does. The segments before the picture say how long they are, and may hold
 * a small picture of their own; after them, the picture goes on to the mark of its end (ITU-T T.81, annex B).
 *
 * @param {File} file
 */
async function isCut(file) {
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
