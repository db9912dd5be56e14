/**
 * Die Texte dazu, wo ein Rad steht.
 *
 * @type {typeof import("./en-parking.js").enParking}
 */
export const deParking = {
  title: "Wo habe ich es abgestellt?",
  lead: "Nur du siehst es. Es ersetzt den Ort davor und wird nach 30 Tagen gelöscht.",
  park: "Ich parke hier",
  parkAgain: "Jetzt parke ich hier",
  failed: "Das Gerät hat seinen Standort nicht angegeben. Erlaube ihn für diese Seite und versuche es noch einmal.",
  parked: (when) => `Du hast es ${when} abgestellt`,
  within: (metres) => `im Umkreis von etwa ${metres}`,
  heard: (place, when) => `In der letzten Suche hat es eine Station ${when} gehört: ${place}`,
  forget: "Ort vergessen",
};
