/** The texts about where a bike is left. */
export const enParking = {
  title: "Where did I leave it?",
  lead: "Only you see it. It replaces the place before, and is deleted after 30 days.",
  park: "I park here",
  parkAgain: "I park here now",
  failed: "This device did not give its position. Allow it for this page, and try again.",
  /** @param {string} when */
  parked: (when) => `You parked it ${when}`,
  /** @param {string} metres */
  within: (metres) => `within about ${metres}`,
  /**
   * @param {string} place
   * @param {string} when
   */
  heard: (place, when) => `In the last search, a station heard it ${when}: ${place}`,
  forget: "Forget this place",
};
