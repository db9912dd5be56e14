import {enBike} from "./en-bike.js";

/**
 * The texts in English that every page needs, and those of a visit's first pages. Every other language has the same
 * keys.
 */
export const en = {
  justNow: "just now",
  /**
   * @param {string} from
   * @param {string} to
   */
  span: (from, to) => `${from} to ${to}`,
  back: "Back",
  cancel: "Cancel",
  save: "Save",
  saved: "Saved",
  copy: "Copy",
  copied: "Copied",
  remove: "Remove",
  print: "Print",
  again: "Try again",
  /** @param {string} when */
  stale: (when) => `No connection. You see what was known ${when}.`,
  sending: "Sending…",
  home: "Go to the first page",
  offline: "There is no connection. Nothing was sent. Try again when you are online.",
  unanswered: "No answer came. We do not know whether it arrived. Look whether it did, or try again.",
  unread: "There is no connection, or it is too slow. Try again.",
  failed: "Something went wrong. Try again in a moment.",
  notFound: "This page does not exist, or it is not yours.",
  notFoundHint: "If somebody shared a bike with you, they may have stopped.",
  signedOut: "You are signed out. Sign in to continue.",
  tooMany: "Too many attempts. Wait a minute, then try again.",
  pushDenied: "This browser blocks messages. Allow them in its settings for this page.",
  pushFailed: "The browser’s message service does not answer. Try again later, or choose another way below.",
  nav: {bikes: "My bikes", account: "Account"},
  followed: "Something travels with me",
  ...enBike,
  welcome: {
    title: "Find your bike when it is gone",
    lead:
        "Put a small Bluetooth beacon on your bike. If it is stolen, cafés, garages and petrol stations listen for it, and you see where it was heard.",
    signUp: "Create an account",
    signIn: "Sign in",
    have: "Already have an account?",
    none: "New here?",
    about: "Which beacon, how many stations, who runs it",
    found: "Found a bike? Write to its owner",
    check: "Buying a used bike? Check its number",
  },
  signIn: {
    codeHint: "From the list that you kept. Each works once.",
    codeTitle: "Confirm that it is you",
    submitCode: "Continue",
    codeNeeded: "This needs a passkey or a recovery code.",
    useCode: "Use a recovery code instead",
    usePasskey: "Use the passkey",
    why:
        "Somebody else may be holding this device. So what a thief could misuse needs a proof, which counts for ten minutes.",
    whyCode: "This could end or weaken a search. So it needs one of the codes that you keep apart from your devices.",
    /**
     * @param {string} browser
     * @param {string} device
     */
    device: (browser, device) => `${browser} on ${device}`,
    title: "Sign in",
    passkey: "Sign in with a passkey",
    other: "Lost your phone? Use a code",
    again: "You have been signed out",
    againLead: "Sign in again, and what you entered is sent. It stays here until then.",
    code: "Recovery code",
    hint: "From the list that you kept. A token of the findmybike command works, too.",
    submit: "Sign in",
    wrong: "This code or token is not valid. Check it and try again.",
    hasPasskey: "This device has a passkey for this account already.",
    noPasskey:
        "No passkey for this account on this device, or it was not used. Try again, or sign in with a recovery code.",
  },
  signUp: {
    title: "Create an account",
    lead:
        "No e-mail address and no password. Your phone keeps a passkey, which you use with your fingerprint, face or PIN.",
    submit: "Create a passkey",
    unsupported: "This browser cannot keep passkeys. Use a current one, on a page with https.",
    invitation: "Invitation",
    invitationHint: "Only if your registry gave you one.",
    codesTitle: "Keep these recovery codes",
    codesLead: "Each code lets you in once if you lose your phone. They are not shown again.",
    kept: "I have kept my codes",
    newCodes: "Make new codes",
    known: "You have an account",
    knownLead:
        "This browser is signed in to it. Its recovery codes were shown once. If you have not kept them, make new ones now, before you add a bike: later, that needs an old code. The first ones then no longer work.",
    leaveTitle: "Have you kept your codes?",
    copyAll: "Copy all",
    download: "Save as a file",
  },
  bikes: {
    alertsOff: "Alerts are off: nobody tells you when your bike is heard.",
    turnOn: "Turn them on",
    title: "My bikes",
    add: "Add a bike",
    empty: "Add your first bike. It takes two minutes.",
    gone: "It’s gone",
    missing: "Missing",
    pending: "Beacon not confirmed yet",
    notYet: "Not possible until the beacon is confirmed.",
    lastHeard: "Last heard",
    notHeard: "Not heard yet",
    see: "Open the search",
    photo: "Photo of your bike",
    shared: "Shared with you",
    /** @param {number} count */
    messages: (count) =>
        count === 1 ? "Somebody is waiting for your answer" : `${count} people are waiting for your answer`,
  },
  gone: {
    /** @param {string} bike */
    title: (bike) => `Report your ${bike} as missing?`,
    lead: "Stations start to listen for its beacon within a minute.",
    submit: "Report as missing",
    since: "When did you last see it?",
    /** @param {string} moment */
    yesterday: (moment) => `That is later today, so we take ${moment}.`,
    place: "Last place",
    usePlace: "The bike was here, where I am now",
    placeAsked: "Asking this device for its position…",
    placeKnown: "A place is saved.",
    placeParked: "The place where you parked it. Remove it if it was moved.",
    dropPlace: "Remove the place",
    noPlace: "No place.",
    /** @param {string} accuracy */
    placeSet: (accuracy) => `Position of this device, within ${accuracy}`,
    placeFailed: "This device did not give its position.",
    details: "When, where and police reference",
    police: "Police reference",
    force: "Police force",
    note: "Note",
    onlyHere: "Only this registry’s stations listen, and none of its partners’",
    policeHint: "With a reference the search lasts longer.",
  },
};
