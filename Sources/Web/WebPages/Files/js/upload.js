import {Problem, Unanswered} from "./api.js";

/** The milliseconds without a sent byte or an answer after which a file is given up. */
const patience = 60_000;

/**
 * Sends a file and reports its progress, which `fetch` cannot. A slow line may take as long as it needs, as long as
 * something moves.
 *
 * @param {string} path
 * @param {Blob} file
 * @param {string} key the same for each attempt, so that a file is stored once
 * @param {(part: number) => void} onProgress gets the part that has left this device, from 0 to 1
 * @returns {Promise<any>} the parsed JSON
 */
export function upload(path, file, key, onProgress) {
  const isSent = navigator.onLine;
  return new Promise((resolve, refuse) => {
    const request = new XMLHttpRequest();
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), patience);
    };
    const lose = () => {
      clearTimeout(timer);
      refuse(new Unanswered(false, isSent));
    };
    request.open("POST", path);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", file.type);
    request.setRequestHeader("Idempotency-Key", key);
    request.upload.addEventListener("progress", ({loaded, total}) => {
      wait();
      onProgress(total ? loaded / total : 0);
    });
    request.addEventListener("error", lose);
    request.addEventListener("abort", lose);
    request.addEventListener("load", () => {
      clearTimeout(timer);
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300 && body) return resolve(body);
      refuse(new Problem(request.status, body ?? {}, Number(request.getResponseHeader("Retry-After")) || 0));
    });
    wait();
    request.send(file);
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
