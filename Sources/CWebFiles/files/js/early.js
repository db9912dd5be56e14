// Asks for what the page needs first while its scripts still load; without this, a phone would wait for them and then for
// another round trip. It is a part of the HTML, so it must import nothing.
{
  /** @type {Map<string, Promise<Response>>} */
  const asked = new Map();

  const bike = /^\/my\/bikes\/[0-9a-f-]{36}$/.test(location.pathname) && location.pathname.slice("/my".length);
  const path = location.pathname === "/my" ? "/v1/bikes?limit=100" : bike && `/v1${bike}`;
  // Without this mark, a visitor would cause a request that is refused.
  const mark = localStorage.getItem("signedIn");
  if (path && mark !== null) {
    const answer = fetch(path, {headers: {Accept: "application/json"}, credentials: "same-origin"});
    // Whoever takes it learns of a failure.
    answer.catch(() => {});
    asked.set(path, answer);
  }

  /**
   * The answer that was asked for early; only once and soon, because a later read must see later changes, and not if
   * somebody has signed out or in since in another window.
   *
   * @param {string} path
   */
  /** @type {any} */ (globalThis).takeEarly = (path) => {
    const answer = asked.get(path);
    asked.delete(path);
    return localStorage.getItem("signedIn") === mark && performance.now() < 20_000 ? answer : undefined;
  };
}
