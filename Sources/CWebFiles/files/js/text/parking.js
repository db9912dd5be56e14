import {language} from "../text.js";

const en = {
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

/** @type {typeof en} */
const de = {
  title: "Wo steht es?",
  lead: "Nur du siehst es. Es ersetzt den Ort davor und wird nach 30 Tagen gelöscht.",
  park: "Ich parke hier",
  parkAgain: "Jetzt parke ich hier",
  failed: "Das Gerät hat seinen Standort nicht angegeben. Erlaube ihn für diese Seite und versuche es noch einmal.",
  parked: (when) => `Du hast es ${when} abgestellt`,
  within: (metres) => `im Umkreis von etwa ${metres}`,
  heard: (place, when) => `In der letzten Suche hat es eine Station ${when} gehört: ${place}`,
  forget: "Ort vergessen",
};

/** The texts about where a bike is left. */
export function parkingTexts() { return language === "de" ? de : en; }
