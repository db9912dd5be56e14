/** What went wrong, in sentences that say what to do. */
export const enProblems = {
  /**
   * By the last part of the problem's type. A kind that is not here shows the registry's own words.
   *
   * @type {Record<string, string | ((wait: string) => string)>}
   */
  kinds: {
    "answer-awaited": "You have written three messages. Wait for an answer.",
    "conversation-ended": "This conversation has ended.",
    "too-many-finder-photos": "This conversation, or this network today, has as many photos as are allowed.",
    "conversation-full": "This conversation is full. Agree on another way to talk.",
    "too-many-reports":
        "The operator has many of your reports. Try again later, or end the conversation without a report.",
    "too-many-answered": "You have too many open conversations. End one first.",
    "too-many-messages-today": (wait) => `You have written ten messages in a day. Wait ${wait}, then write again.`,
    "bike-missing": "This does not work while the bike is missing. End the search first.",
    "beacon-stopped": "The registry’s operator has stopped searches for this beacon. Write to the operator.",
    "objections-used-up": "No more objections to this stop are accepted. Write to the operator.",
    "beacon-clock-differs":
        "The clock of this beacon differs from the last check. While the bike is missing, this is refused: check again when the bike is back.",
    "beacon-key-unreadable":
        "The registry cannot read this beacon’s key, so no station can hear it. Write to its operator, or give the bike another beacon.",
    "verification-needed":
        "Rotating beacons are only for accounts that this registry’s operator has verified. Write to the operator.",
    "rotation-unavailable": "This registry has no rotating beacons yet. Ask its operator.",
    "beacon-unproved": "The beacon is not confirmed yet. Open the bike’s page: it says what to do.",
    "changed-meanwhile": "It was changed somewhere else in the meantime. Reload the page and try again.",
    "channel-unverified": "This address is not confirmed yet. Open the link in the message that was sent there.",
    "code-unusable": "This code does not work: it is mistyped, used or expired. Try another one.",
    "cross-site": "The browser did not send this from the registry’s own page. Open the registry at its own address.",
    "export-running": "Another download of your data is running. Try again when it has ended.",
    "fault": "The registry has a fault. Try again later, or write to its operator.",
    "idempotency-key-reused": "This was sent before with other contents. Reload the page and try again.",
    "identities-exhausted": "The registry cannot give out more beacon values. Ask its operator.",
    "identity-taken": "Another bike has or had a beacon with these values. Give the beacon other values.",
    "insufficient-scope":
        "You signed in with a token that does not permit this. Sign out, and sign in with a passkey or a recovery code.",
    "invalid-fields": "Something here is not right. Check what you entered.",
    "invitation-needed": "This registry takes new owners by invitation only. Ask its operator for one.",
    "outcome-unknown": "The registry does not know whether it stored this. Check, and try again if it did not.",
    "overloaded": "The registry is busy. Nothing was changed. Try again in a moment.",
    "owner-suspended": "The registry’s operator has suspended this account. Write to the operator.",
    "passkey-copied":
        "There may be a copy of this passkey. Sign in with a recovery code, remove the passkey and add a new one.",
    "passkey-known": "This passkey is registered already. Sign in with it, or make another one.",
    "passkey-refused": "This passkey was not accepted. Try again, or use a recovery code.",
    "photos-full": "The bike has as many photos as it can have. Remove one first.",
    "place-lost":
        "Others are sending photos too, and yours was the slowest. Try again later, or with a better connection.",
    "quota-reached": "This registry allows no more of these. Remove one that you no longer need, or ask the operator.",
    "recovery-code-needed": "This needs one of your recovery codes.",
    "report-already-closed": "This search is already over.",
    "report-already-open": "This bike is already reported missing. Reload the page.",
    "sign-in-unavailable": "The operator has to set up this registry before anyone can sign in with a browser.",
    "signing-key-missing": "This registry cannot sign evidence. Ask its operator.",
    "storage-unavailable": "The registry cannot store anything now. Check later whether your change was stored.",
    "token-unusable": "This token does not work. Check it, or use a recovery code.",
    "too-large": "This is too large. Make it smaller and try again.",
    "too-many-messages": (wait) => `Too many messages were sent. Wait ${wait}, then try again.`,
    "too-many-passkeys": "You have as many passkeys as this registry allows. Remove one that you no longer use.",
    "too-many-requests": (wait) => `Too many attempts. Wait ${wait}, then try again.`,
    "too-many-streams": "This page is open too often. Close other windows that show it.",
    "too-many-today": (wait) => `Too many of these in one day. Wait ${wait}, or ask the registry’s operator.`,
    "too-many-uploads": (wait) => `Too many photos in an hour. Wait ${wait}, then try again.`,
    "too-slow": "The connection was too slow. Try again with a better one.",
    "wrong-media-type": "Only JPEG photos can be added. Save the picture as JPEG (.jpg) and try again.",
  },
  /**
   * By the name of the refused field.
   *
   * @type {Record<string, string>}
   */
  fields: {
    buyerCheck:
        "This needs a frame number or a VIN of 4 to 40 letters (A–Z) and digits, and not one such as 0000 that many bikes could have.",
    code: "Enter the code as it is on your list.",
    colours: "Choose one to three colours.",
    from: "Enter when the quiet hours begin, as in 22:00.",
    identity:
        "This registry does not accept these values: it chooses its own, or many beacons have them. Leave all three fields empty.",
    invitation: "Check the invitation: it is mistyped.",
    kind: "This is not available here.",
    lastPlace: "The position cannot be used. Leave it out.",
    major: "Enter a whole number from 0 to 65535.",
    make: "Enter the make, in 64 characters at most.",
    minor: "Enter a whole number from 0 to 65535.",
    missingSince: "Enter a time that is not in the future, and at most 30 days ago.",
    model: "Enter the model, in 64 characters at most.",
    name: "Use 1 to 64 characters.",
    note: "Use 500 characters at most.",
    notes: "Use 500 characters at most.",
    plate: "Use 64 characters at most.",
    policeForce: "Use 64 characters at most.",
    policeReference: "Use 64 characters at most.",
    recoveryCode: "Enter the code as it is on your list.",
    serial: "Use 64 characters at most.",
    to: "Enter when the quiet hours end. It must differ from their beginning.",
    token: "Check the token: it is mistyped.",
    url: "Enter an address as in me@example.org.",
    uuid: "Enter the 32 digits and letters (0–9, a–f) of the UUID.",
    vin: "Use 64 characters at most. A VIN of 17 characters has no I, O or Q: enter 1 or 0.",
    year: "Enter a year from 1885 to next year.",
    zone: "Choose a time zone from the list.",
  },
  aMoment: "a moment",
};
