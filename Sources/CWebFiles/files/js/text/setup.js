import {language} from "../text.js";

const en = {
  /**
   * @param {number} done
   * @param {number} all
   */
  title: (done, all) => (done === all ? "All is ready" : `Be ready: ${done} of ${all} done`),
  done: "Done",
  beacon: "Set the beacon",
  beaconOpen: "To the three values below. It is done when a station has heard it.",
  beaconLink: "Show the values",
  test: "Test it",
  testLead:
      "For half an hour stations listen for the beacon as if the bike were missing. You learn only that one heard it, not where, and no alarm rings.",
  start: "Start a test",
  again: "Test again",
  /** @param {string} until */
  running: (until) => `Stations listen until ${until}. Ride or walk past one; this page says when it was heard.`,
  /** @param {string} when */
  heard: (when) => `Last heard in a test ${when}`,
  unheard:
      "No station heard it. Is it set to these values, on, and not behind metal? And was a station within 30 metres? A test tells you no more.",
  proof: "With the test above.",
  rotating: "Stations cannot test it. Run “findmybike beacon check” beside the bike.",
  messages: "Turn on messages",
  messagesOpen: "So that you learn at once when a station hears it.",
  otherWays: "Other ways",
  photo: "Add a photo",
  photoOpen: "For the police, and for whoever looks for the bike.",
  /**
   * @param {boolean} hasEngine
   * @returns {string}
   */
  number: (hasEngine) => (hasEngine ? "Enter frame or engine number" : "Enter the frame number"),
  numberOpen: "Police and insurers ask for it.",
  enter: "Enter it",
};

/** @type {typeof en} */
const de = {
  title: (done, all) => (done === all ? "Alles ist bereit" : `Bereit sein: ${done} von ${all} erledigt`),
  done: "Erledigt",
  beacon: "Sender einstellen",
  beaconOpen: "Auf die drei Werte unten. Erledigt ist das, wenn eine Station ihn gehört hat.",
  beaconLink: "Werte zeigen",
  test: "Testen",
  testLead:
      "Eine halbe Stunde lang achten Stationen auf den Sender, als wäre das Rad vermisst. Du erfährst nur, dass ihn eine gehört hat, nicht wo, und kein Alarm ertönt.",
  start: "Test starten",
  again: "Noch einmal testen",
  running: (until) =>
      `Stationen achten bis ${until} auf den Sender. Komm an einer vorbei; diese Seite sagt, wann er gehört wurde.`,
  heard: (when) => `Zuletzt in einem Test gehört: ${when}`,
  unheard:
      "Keine Station hat ihn gehört. Ist er auf diese Werte eingestellt, eingeschaltet und nicht hinter Metall? Und war eine Station näher als 30 Meter? Mehr sagt ein Test nicht.",
  proof: "Mit dem Test oben.",
  rotating: "Stationen können ihn nicht testen. Führe „findmybike beacon check“ neben dem Rad aus.",
  messages: "Benachrichtigungen einschalten",
  messagesOpen: "Damit du sofort erfährst, wenn eine Station es hört.",
  otherWays: "Andere Wege",
  photo: "Foto hinzufügen",
  photoOpen: "Für die Polizei, und für alle, die danach suchen.",
  number: (hasEngine) => (hasEngine ? "Rahmen- oder Motornummer eintragen" : "Rahmennummer eintragen"),
  numberOpen: "Polizei und Versicherung fragen danach.",
  enter: "Eintragen",
};

/** The texts of the list of what makes a bike ready. */
export function setupTexts() { return language === "de" ? de : en; }
