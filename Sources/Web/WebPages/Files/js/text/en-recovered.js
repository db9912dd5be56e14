/** The texts for somebody who has signed in with a recovery code. */
export const enRecovered = {
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
