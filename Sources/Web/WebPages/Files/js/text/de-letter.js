/**
 * Der Brief an die Polizei.
 *
 * @type {typeof import("./en-letter.js").enLetter}
 */
export const deLetter = {
  title: "Brief an die Polizei",
  sender: "Dein Name und deine Adresse",
  senderHint: "Nur für diesen Ausdruck. Es wird weder gespeichert noch gesendet.",
  name: "Name",
  address: "Anschrift",
  phone: "Telefon",
  force: "An die Polizei",
  reference: (reference) => `Ihr Zeichen: ${reference}`,
  subjects: {
    bicycle: "Gestohlenes Fahrrad",
    motorbike: "Gestohlenes Motorrad",
    scooter: "Gestohlener Roller",
    other: "Gestohlenes Fahrzeug"
  },
  greeting: "Sehr geehrte Damen und Herren,",
  things: {bicycle: "mein Fahrrad", motorbike: "mein Motorrad", scooter: "mein Roller", other: "mein Fahrzeug"},
  missing: (thing, since) => `${thing} ist seit dem ${since} verschwunden. Ich gehe von einem Diebstahl aus.`,
  wasMissing: (thing, from, to) => `${thing} war vom ${from} bis zum ${to} verschwunden.`,
  beacon:
      "In dem Rad ist ein Bluetooth-Sender versteckt. Solange das Rad vermisst ist, achten die Stationen eines Registers auf diesen Sender, zum Beispiel in Cafés, Parkhäusern und Tankstellen.",
  bike: "Beschreibung",
  lastPlace: "Letzter bekannter Ort",
  identity: "iBeacon",
  heard: (count) => (count === 1 ? "Eine Station hat ihn einmal gehört:" : `Stationen haben ihn ${count}-mal gehört:`),
  notHeard: (now, until) => `Bis zum ${now} hat ihn keine Station gehört. ${
      until ? `Die Stationen achten bis zum ${until} auf ihn. ` : ""}Ich melde mich, sobald ihn eine hört.`,
  neverHeard: "In dieser Zeit hat ihn keine Station gehört.",
  when: "Wann",
  station: "Station",
  place: "Ort (WGS 84)",
  certainty: "Sicherheit",
  how:
      "Jeder Ort ist der einer Station. Eine Station hört einen Sender auf etwa 30 Meter, im Freien auf 100 Meter. Das Fahrzeug war also in der Nähe, aber nicht genau dort.",
  levels:
      "Möglich: Eine Station hat ihn gehört. Bestätigt: Stationen verschiedener Betriebe haben ihn gehört, oder jemand vor Ort hat das Fahrzeug gesehen. Zweifelhaft: Etwas spricht dagegen.",
  evidence: (address) => `Ich kann Ihnen ein Beweispaket des Registers ${
      address} geben: eine ZIP-Datei mit allen Beobachtungen, so signiert, dass sich jede spätere Änderung zeigt. README.txt darin erklärt sie. Prüfen lässt sie sich mit „findmybike evidence verify DATEI --key FINGERABDRUCK“ und diesem Fingerabdruck des Schlüssels:`,
  compare: "Bitte lassen Sie sich den Fingerabdruck vom Betreiber des Registers am Telefon bestätigen.",
  request: "Bitte teilen Sie mir mit, wen ich anrufen kann, wenn eine Station den Sender wieder hört.",
  closing: "Mit freundlichen Grüßen",
  date: "Ort und Datum",
  signature: "Unterschrift",
  noReport: "Dieses Rad ist nicht als vermisst gemeldet. Deshalb gibt es der Polizei nichts zu schreiben.",
};
