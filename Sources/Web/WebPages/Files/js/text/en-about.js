/** The texts for somebody who has not signed up yet. */
export const enAbout = {
  title: "Before you sign up",
  beacon: "Which beacon to buy",
  beacons: [
    "Any iBeacon whose UUID, major and minor can be set with its maker’s app, best with a password.",
    "A battery that you can change: a CR2477 lasts about four years, a CR2032 one.",
    "Housing for outdoors: IP67, −20 to 60\u00a0°C.",
    "It sends at least once a second, at 0\u00a0dBm or more.",
    "Not an AirTag or a SmartTag: only the phones of their makers hear them.",
  ],
  stations: "How many stations listen",
  /** @param {number} count */
  listening: (count) =>
      (count === 0       ? "No station listens now."
           : count === 1 ? "One station listens now."
                         : `${count} stations listen now.`),
  /**
   * @param {number} count
   * @param {string} registry
   */
  partner: (count, registry) => `Partner registry ${registry}, by its own account: ${count} stations.`,
  near: "How many are near me?",
  nearHint: "Your position stays on this device.",
  asked: "Asking this device for its position…",
  failed: "This device did not give its position.",
  /** @param {number} count */
  within: (count) => `At least ${count} of them are within about 15 km of you.`,
  nobody: "No area near you has five or more. There may be single ones.",
  areas: "Where they are, roughly",
  /** @param {number} fewest */
  areasHint: (fewest) => `In fields of about 10 km, and only those with at least ${
      fewest} stations, so that nobody can tell which venue has one.`,
  /**
   * @param {number} count
   * @param {string} place
   */
  area: (count, place) => `${count} around ${place}`,
  unknown: "There is no connection to look.",
  knows: "What the registry knows about you",
  known: [
    "No name and no e-mail address, unless you add one for messages.",
    "Your bikes, as you describe them, their photos, and what you enter about a theft.",
    "Where stations hear a bike, only while you report it missing. It is deleted 30\u00a0days after the search.",
    "Stations send nothing about a bike that is not missing.",
    "You can download all of it, and delete it with your account, at any time.",
  ],
  limits: "A beacon is found only near a station. We cannot promise that you get it back.",
  who: "Who runs it",
  /** @param {string} name */
  runs: (name) => `${name} runs this registry.`,
  contact: "Contact",
  nobodySaid: "Whoever runs this registry has not said so here. Ask them before you trust them with your data.",
};
