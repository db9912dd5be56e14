/**
 * Die Texte nach der Anmeldung mit einem Wiederherstellungscode.
 *
 * @type {typeof import("./en-recovered.js").enRecovered}
 */
export const deRecovered = {
  title: "Du bist angemeldet",
  used: "Der Wiederherstellungscode ist verbraucht.",
  left: (left) =>
      (left === 0       ? "Es ist keiner mehr übrig."
           : left === 1 ? "Einer ist noch übrig."
                        : `${left} sind noch übrig.`),
  addTitle: "Hier einen Passkey anlegen",
  addLead: "Beim nächsten Mal reicht auf diesem Gerät dein Fingerabdruck, dein Gesicht oder deine PIN.",
  add: "Passkey anlegen",
  added: "Dieses Gerät hat jetzt einen Passkey.",
  lost: "Ist ein Telefon verloren?",
  lostLead: "Entferne seinen Passkey und melde es ab. Wer es hat, kann dann mit deinem Konto nichts mehr anfangen.",
  none: "Kein anderes Gerät ist angemeldet, und es gibt keinen anderen Passkey.",
  proceed: "Weiter",
};
