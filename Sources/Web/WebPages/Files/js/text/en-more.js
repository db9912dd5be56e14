import {enDetails} from "./en-details.js";
import {enLetter} from "./en-letter.js";
import {enMembers} from "./en-members.js";
import {enShare} from "./en-share.js";

/** The texts of all pages but the few that a first visit begins with. */
export const enMore = {
  photos: {
    add: "Add a photo",
    remove: "Remove this photo",
    unread: "No connection",
    waits: "Waits for its turn",
    prepares: "Being made smaller…",
    sends: "Being sent…",
    stores: "Being stored…",
    sending: "Photo that is being sent",
    leave: "Leave it out",
    heic:
        "This browser cannot read HEIC photos. On the iPhone, open this page in Safari, or choose Settings › Camera › Formats › Most Compatible before you take the photo. On a computer, save the picture as JPEG first.",
    /** @param {number} most */
    room: (most) => `A bike has up to ${most} photos: the last ones were left out.`,
    staff: "Staff may see it",
    staffHint:
        "“Staff may see it” shows a small picture at a station’s display and in its alarm, only while the bike is missing and there.",
    shown: "Saved: staff may see it.",
    hidden: "Saved: staff do not see it.",
  },
  sure: {
    photo: {title: "Remove this photo?", lead: "It is deleted for good."},
    account: {title: "Delete your account?"},
    bike: {
      /** @param {string} name */
      title: (name) => `Delete ${name}?`,
    },
    session: {
      /** @param {string} name */
      title: (name) => `Sign out “${name}”?`,
      lead: "Whoever uses that browser has to sign in again.",
      submit: "Sign out",
    },
    passkey: {
      /** @param {string} name */
      title: (name) => `Remove the passkey “${name}”?`,
      lead: "It no longer signs you in, and the browsers that it signed in are signed out.",
      submit: "Remove",
    },
    token: {
      /** @param {string} name */
      title: (name) => `Remove the token “${name}”?`,
      lead: "Programs that use it stop working, and the browsers that it signed in are signed out.",
      submit: "Remove",
    },
    channel: {
      /** @param {string} name */
      title: (name) => `No more alerts to ${name}?`,
      lead: "You get a message about this on all your channels.",
    },
    codes: {
      title: "Make new recovery codes?",
      lead:
          "The old ones stop working at once. The new ones are shown once, so have paper or a password manager ready.",
    },
  },
  next: {
    /** @param {number} count */
    listening: (count) => count === 1 ? "One station listens for it." : `${count} stations listen for it.`,
    /** @param {number} count */
    partners: (count) => count === 1 ? "One station of a partner registry listens, too."
                                     : `${count} stations of partner registries listen, too.`,
    /** @param {string} distance */
    nearest: (distance) => `The nearest is at most ${distance} from where you last saw it.`,
    /** @param {{searches: number, percentWithinDay: number}} odds */
    odds: ({searches, percentWithinDay}) =>
        `In ${percentWithinDay} % of about ${searches} earlier searches here, a station heard it within a day.`,
    nobody: "No station listens at the moment. The registry’s operator can see that.",
    reached: "You get a message as soon as a station hears it.",
    messagesOn: "Messages are on: this device tells you as soon as a station hears your bike.",
    /** @param {string} number */
    police: (number) => `Call the police: ${number}`,
  },
  found: {
    title: "Is the search over?",
    recovered: "My bike is back",
    falseAlarm: "It was never gone",
    givenUp: "I have given up",
    by: "Found by",
    note: "How it came back",
    submit: "End the search",
    owner: "Me",
    police: "The police",
    venue: "A venue",
    finder: "Somebody else",
    other: "Other",
    lead: "Stations stop listening for it. What they heard is deleted after 30 days.",
  },
  earlier: {
    title: "Earlier searches",
    nothing: "There are no sightings: no station heard it, or they have been deleted.",
    outcomes: {
      recovered: "The bike came back",
      falseAlarm: "It was never gone",
      givenUp: "Given up",
      expired: "Ended after a year",
    },
  },
  pending: {
    title: "Confirm your beacon",
    why:
        "You entered values that your beacon already sends. Until a station has heard it with the new minor below, nobody knows that it is yours, and you cannot report the bike missing.",
    set: "In the app of the beacon’s maker, change the minor to:",
    same: "The rest stays as it is:",
    ride: "Start the test, and take the beacon past a station within half an hour.",
    done: "You get a message when it worked. Do not change the beacon afterwards.",
    /** @param {string} until */
    running: (until) => `Stations listen for it until ${until}. Take the beacon past one.`,
    trouble: "The minor cannot be changed, or there is no station nearby",
    operator:
        "Ask the registry’s operator to accept the beacon as it is, and give them the bike’s identifier. If they accept it, the beacon must send the values that it had at first.",
    id: "The bike’s identifier",
  },
  ...enDetails,
  letter: enLetter,
  members: enMembers,
  ...enShare,
};
