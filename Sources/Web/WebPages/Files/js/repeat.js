/** How often a page looks for news, in milliseconds: often at first, less often when nothing has come for a while. */
const [often, seldom] = [10_000, 60_000];
/** After this time without news it looks seldom, and after the longer one no more. */
const [lively, longest] = [600_000, 7_200_000];

/**
 * Looks for something repeatedly while the page is visible, and immediately when somebody comes back to it. After two
 * hours without news it pauses until then.
 *
 * @param {() => Promise<boolean | null>} look says whether there was news; null ends it for good
 * @returns {() => void} ends it
 */
export function repeat(look) {
  let [timer, isEnded, isBusy, news] = [0, false, false, Date.now()];
  const wait = () => {
    clearTimeout(timer);
    const quiet = Date.now() - news;
    if (isEnded || document.hidden || quiet > longest) return;
    timer = setTimeout(again, quiet > lively ? seldom : often);
  };
  async function again() {
    if (isBusy || isEnded) return;
    isBusy = true;
    // Without a connection there is no news: it looks again later.
    const found = await look().catch(() => false);
    isBusy = false;
    if (found === null) return stop();
    if (found) news = Date.now();
    wait();
  }
  const changed = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    news = Date.now();
    again();
  };
  function stop() {
    isEnded = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  }
  document.addEventListener("visibilitychange", changed);
  wait();
  return stop;
}
