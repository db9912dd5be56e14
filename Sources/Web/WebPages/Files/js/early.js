// Requests what the page needs first while its scripts still load; without this, a phone would wait for them and then
// for more round trips. It is a part of the HTML, so it must import nothing. If the page writes a request differently,
// it is sent twice: a test of the pages would notice.
{
  /** @type {Map<string, Promise<Response>>} */
  const asked = new Map();
  /**
   * The requests that the page has taken over, which are not sent again.
   *
   * @type {Set<string>}
   */
  const taken = new Set();
  // Without this mark, a visitor would cause a request that is refused.
  const mark = localStorage.getItem("signedIn");

  /**
   * @param {string} path
   * @returns {Promise<any>} a copy of the answer, so that the page can read it, too
   */
  const ask = async (path) => {
    if (taken.has(path)) return {};
    const answer = fetch(path, {headers: {Accept: "application/json"}, credentials: "same-origin"});
    // The code that takes it handles a failure.
    answer.catch(() => {});
    asked.set(path, answer);
    const response = await answer;
    return response.ok ? response.clone().json() : {};
  };

  /** @param {...string} paths */
  const askAll = (...paths) => paths.forEach((path) => ask(path).catch(() => {}));

  /**
   * @param {any} bike
   * @returns {string}
   */
  const sightings = (bike) => `/v1/bikes/${bike.id}/reports/${bike.openReport}/sightings?limit=100`;

  const bikes = async () => {
    askAll("/v1/channels?limit=100");
    const {items = []} = await ask("/v1/bikes?limit=100");
    askAll(...items.filter((/** @type {any} */ bike) => bike.openReport).slice(0, 10).map(sightings));
  };

  /**
   * Loads a file early; `fetchPriority` if it is larger than everything else.
   *
   * @param {Record<string, string>} link
   */
  const load = (link) => document.head.append(Object.assign(document.createElement("link"), link));

  /** @param {string} id */
  const bike = async (id) => {
    const path = `/v1/bikes/${id}`;
    const bike = await ask(path);
    if (bike.openReport) {
      const report = `${path}/reports/${bike.openReport}`;
      if (!bike.role) askAll(`${path}/shares`);
      askAll(sightings(bike), report, `${report}/stations`, "/v1/map", "/v1/owner", "/v1/channels?limit=100");
      load({rel: "modulepreload", href: "/assets/vendor/leaflet/leaflet.js", fetchPriority: "low"});
      load({rel: "preload", as: "style", href: "/assets/vendor/leaflet/leaflet.css", fetchPriority: "low"});
      return;
    }
    load({rel: "modulepreload", href: "/assets/js/pages/around.js"});
    askAll(...["photos", "reports?limit=100", "members"].map((part) => `${path}/${part}`));
    if (!bike.role || bike.role === "manage") askAll(`${path}/invitations`);
    // A member who may only see the bike would be refused.
    if (bike.role !== "see") askAll(`${path}/conversations`);
  };

  const id = /^\/my\/bikes\/([0-9a-f-]{36})$/.exec(location.pathname)?.[1];
  if (mark !== null && location.pathname === "/my") bikes().catch(() => {});
  if (mark !== null && id) bike(id).catch(() => {});

  /**
   * The answer that was asked for early; only once and soon, because a later read must see later changes, and not if
   * somebody has signed out or in since in another window.
   *
   * @param {string} path
   */
  const takeEarly = (path) => {
    taken.add(path);
    const answer = asked.get(path);
    asked.delete(path);
    return localStorage.getItem("signedIn") === mark && performance.now() < 20_000 ? answer : undefined;
  };
  /** Forgets what the page has not taken: a later read must see later changes. */
  const forgetEarly = () => asked.clear();
  Object.assign(globalThis, {takeEarly, forgetEarly});
}
