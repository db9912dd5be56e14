/**
 * Die Texte für alle, die noch kein Konto haben.
 *
 * @type {typeof import("./en-about.js").enAbout}
 */
export const deAbout = {
  title: "Bevor du ein Konto anlegst",
  beacon: "Welchen Sender du brauchst",
  beacons: [
    "Jeden iBeacon, dessen UUID, Major und Minor sich mit der App des Herstellers einstellen lassen, am besten mit Passwort.",
    "Eine Batterie, die du wechseln kannst: Eine CR2477 hält etwa vier Jahre, eine CR2032 eines.",
    "Ein Gehäuse für draußen: IP67, −20 bis 60\u00a0°C.",
    "Er sendet mindestens einmal in der Sekunde, mit 0\u00a0dBm oder mehr.",
    "Kein AirTag und kein SmartTag: Nur die Telefone ihrer Hersteller hören sie.",
  ],
  stations: "Wie viele Stationen auf Sender achten",
  listening: (count) =>
      (count === 0       ? "Zurzeit achtet keine Station auf Sender."
           : count === 1 ? "Zurzeit achtet eine Station auf Sender."
                         : `Zurzeit achten ${count} Stationen auf Sender.`),
  partner: (count, registry) => `Partnerregister ${registry}, nach eigenen Angaben: ${count} Stationen.`,
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
    "Wo Stationen ein Rad hören, nur solange du es als vermisst meldest. 30\u00a0Tage nach der Suche wird das gelöscht.",
    "Von einem Rad, das nicht vermisst ist, senden Stationen nichts.",
    "Du kannst alles herunterladen und mit deinem Konto löschen, jederzeit.",
  ],
  limits: "Ein Sender wird nur nahe einer Station gehört. Niemand verspricht, dass ein Rad zurückkommt.",
  who: "Wer es betreibt",
  runs: (name) => `${name} betreibt dieses Register.`,
  contact: "Kontakt",
  nobodySaid: "Wer dieses Register betreibt, steht hier nicht. Frage nach, bevor du deine Daten anvertraust.",
};
