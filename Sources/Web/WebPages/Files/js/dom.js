/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Text is always inserted as text, so nothing that a person typed becomes HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any> | null} [attributes] `on…` functions are listeners, `true` sets an empty attribute.
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(name.slice(2), value);
    else
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Replaces the contents of an element.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) { element.replaceChildren(...nodes(children)); }

/**
 * Reports progress and results to screen readers and at the top of the page.
 *
 * @param {Child} text
 */
export function announce(text) {
  const banner = document.getElementById("banner");
  if (banner) fill(banner, text);
}
