/**
 * Lets somebody leave a page in a hurry: the other page takes this one's place in the history, so that the Back button
 * does not show it. Without JavaScript, the link still leads away.
 */
export function offerToLeave() {
  for (const link of document.querySelectorAll("a[data-leave]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      location.replace(/** @type {HTMLAnchorElement} */ (link).href);
    });
  }
}
