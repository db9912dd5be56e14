/**
 * Die Texte der Liste, was ein Rad bereit macht.
 *
 * @type {typeof import("./en-setup.js").enSetup}
 */
export const deSetup = {
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
  choosePhoto: "Foto auswählen",
  photoOpen: "Für die Polizei, und für alle, die danach suchen.",
  number: (hasEngine) => (hasEngine ? "Rahmen- oder Motornummer eintragen" : "Rahmennummer eintragen"),
  numberOpen: "Polizei und Versicherung fragen danach.",
  enter: "Eintragen",
};
