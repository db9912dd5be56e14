import {language} from "../text.js";

const en = {
  title: "You are signed in",
  used: "The recovery code is used up.",
  /** @param {number} left */
  left: (left) =>
      (left === 0       ? "No code is left."
           : left === 1 ? "One code is left."
                        : `${left} codes are left.`),
  addTitle: "Add a passkey here",
  addLead: "Next time, your fingerprint, face or PIN is enough on this device.",
  add: "Add a passkey",
  added: "This device has a passkey now.",
  lost: "Is a phone lost?",
  lostLead: "Remove its passkey and sign it out. Then whoever has it can do nothing with your account.",
  none: "No other device is signed in, and there is no other passkey.",
  proceed: "Go on",
};

/** @type {typeof en} */
const de = {
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

/** The texts for somebody who has signed in with a recovery code. */
export function recoveredTexts() { return language === "de" ? de : en; }
