import {language} from "../text.js";

const en = {
  title: "Before you sign up",
  beacon: "Which beacon to buy",
  beacons: [
    "Any iBeacon whose UUID, major and minor can be set with its maker’s app, best with a password.",
    "A battery that you can change: a CR2477 lasts about four years, a CR2032 one.",
    "Housing for outdoors: IP67, −20 to 60 °C.",
    "It sends at least once a second, at 0 dBm or more.",
    "Not an AirTag or a SmartTag: only the phones of their makers hear them.",
  ],
  stations: "How many stations listen",
  /** @param {number} count */
  listening: (count) =>
      (count === 0       ? "No station listens now."
           : count === 1 ? "One station listens now."
                         : `${count} stations listen now.`),
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
  knows: "What the registry knows of you",
  known: [
    "No name and no e-mail address, unless you add one for messages.",
    "Your bikes, as you describe them, their photos, and what you enter about a theft.",
    "Where stations hear a bike, only while you report it missing. It is deleted 30 days after the search.",
    "Of a bike that is not missing, stations send nothing.",
    "You can download all of it, and delete it with your account, at any time.",
  ],
  limits: "A beacon is found only near a station. Nobody promises that a bike comes back.",
  who: "Who runs it",
  /** @param {string} name */
  runs: (name) => `${name} runs this registry.`,
  contact: "Contact",
  nobodySaid: "Whoever runs this registry has not said so here. Ask them before you trust them with your data.",
};

/** @type {typeof en} */
const de = {
  title: "Bevor du dich anmeldest",
  beacon: "Welchen Sender du brauchst",
  beacons: [
    "Jeden iBeacon, dessen UUID, Major und Minor sich mit der App des Herstellers einstellen lassen, am besten mit Passwort.",
    "Eine Batterie, die du wechseln kannst: Eine CR2477 hält etwa vier Jahre, eine CR2032 eines.",
    "Ein Gehäuse für draußen: IP67, −20 bis 60 °C.",
    "Er sendet mindestens einmal in der Sekunde, mit 0 dBm oder mehr.",
    "Kein AirTag und kein SmartTag: Nur die Telefone ihrer Hersteller hören sie.",
  ],
  stations: "Wie viele Stationen lauschen",
  listening: (count) =>
      (count === 0       ? "Zurzeit lauscht keine Station."
           : count === 1 ? "Zurzeit lauscht eine Station."
                         : `Zurzeit lauschen ${count} Stationen.`),
  near: "Wie viele sind in meiner Nähe?",
  nearHint: "Dein Standort bleibt auf diesem Gerät.",
  asked: "Das Gerät sucht seinen Standort …",
  failed: "Das Gerät hat seinen Standort nicht angegeben.",
  within: (count) => `Mindestens ${count} davon sind im Umkreis von etwa 15 km.`,
  nobody: "In deiner Nähe gibt es kein Gebiet mit fünf oder mehr. Einzelne kann es geben.",
  areas: "Wo sie sind, ungefähr",
  areasHint: (fewest) => `In Feldern von etwa 10 km, und nur solche mit mindestens ${
      fewest} Stationen, damit niemand weiß, welcher Betrieb eine hat.`,
  area: (count, place) => `${count} um ${place}`,
  unknown: "Ohne Verbindung lässt sich nicht nachsehen.",
  knows: "Was das Register über dich weiß",
  known: [
    "Keinen Namen und keine E-Mail-Adresse, außer du gibst eine für Benachrichtigungen an.",
    "Deine Räder, wie du sie beschreibst, ihre Fotos, und was du zu einem Diebstahl einträgst.",
    "Wo Stationen ein Rad hören, nur solange du es als vermisst meldest. 30 Tage nach der Suche wird das gelöscht.",
    "Von einem Rad, das nicht vermisst ist, senden Stationen nichts.",
    "Du kannst alles herunterladen und mit deinem Konto löschen, jederzeit.",
  ],
  limits: "Ein Sender wird nur nahe einer Station gehört. Niemand verspricht, dass ein Rad zurückkommt.",
  who: "Wer es betreibt",
  runs: (name) => `${name} betreibt dieses Register.`,
  contact: "Kontakt",
  nobodySaid: "Wer dieses Register betreibt, steht hier nicht. Frage nach, bevor du deine Daten anvertraust.",
};

/** The texts for somebody who has not signed up yet. */
export function aboutTexts() { return language === "de" ? de : en; }
