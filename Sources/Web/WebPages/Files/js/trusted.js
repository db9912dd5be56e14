// Text never becomes HTML here, except in the map library: constants, and its scale's text.
const constants = new Set(["", "<svg/>", "<v:shape adj=\"1\"/>", "<span aria-hidden=\"true\">&#215;</span>"]);

/** @type {any} */ (globalThis).trustedTypes?.createPolicy("default", {
  /** @param {string} html */
  createHTML: (html) => (constants.has(html) || /^[\d.]+ k?m$/.test(html) ? html : null),
  /** @param {string} url */
  createScriptURL: (url) => (/^\/service-worker\.js\?language=[a-z]{2}$/.test(url) ? url : null),
});
export {};
