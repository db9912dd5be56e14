import {enBike} from "./en-bike.js";

/** The texts of a display at a venue. Staff look at it for two seconds. */
export const enDisplay = {
  ...enBike,
  pair: {
    title: "Connect this screen",
    lead: "This screen then shows when a missing bike is here.",
    code: "Code",
    hint: "Ask whoever looks after the FindMyBike station here for a code.",
    submit: "Connect",
    cancel: "Cancel",
    ended: "This screen is no longer connected. Ask for a new code.",
    unusable: "This code is mistyped, used or older than 15 minutes. Type it again, or ask for a new one.",
    tooMany: "Too many attempts. Wait a few minutes, then try again.",
    offline: "There is no connection. Try again.",
  },
  loading: "Connecting…",
  none: "No missing bike is here",
  noneHint: "If one comes, this screen shows it.",
  one: "A missing bike is here",
  /** @param {number} count */
  many: (count) => `${count} missing bikes are here`,
  /** @param {number} count */
  unseen: (count) => count === 1 ? "The signal of a missing bike" : `The signals of ${count} missing bikes`,
  /** @param {number} count */
  more: (count) => (count === 1 ? "and one more" : `and ${count} more`),
  /** @param {string} time */
  since: (time) => `Here since ${time}`,
  /** @param {string} name */
  receiver: (name) => `Receiver: ${name}`,
  near: "Near the receiver",
  inside: "Inside or just outside",
  photo: "Photo of the bike",
  seen: "I see it",
  absent: "Not here",
  answered: {
    /** @param {string} time */
    seen: (time) => `${time}: somebody here saw it. The owner gets this answer.`,
    /** @param {string} time */
    absent: (time) => `${time}: somebody here looked and did not see it. The owner gets this answer.`,
    change: "You can change the answer.",
  },
  notSent: "Your answer was not sent. Try again.",
  tooMany: "Too many answers in an hour. Wait, then try again.",
  gone: "This bike has left.",
  advice: {
    title: "What to do",
    look: "Look for it, and say here whether you see it.",
    leave: "Do not confront anyone, and do not hold the bike: it may be its owner.",
    /** @param {string} whom */
    call: (whom) => `Contact: ${whom}`,
    police: "If you see it, or are not sure, call the police.",
  },
  health: {
    listening: "The station is listening",
    starting: "The station has not reported yet",
    deaf: "The station’s receiver does not work",
    outdated: "The station’s list of missing bikes is old",
    silent: "The station has no connection",
    /** @param {string} time */
    contact: (time) => `Last contact ${time}.`,
    hint:
        "There may be missing bikes here that this screen does not show. Please tell the person who looks after the station.",
  },
  past: {
    none: "No missing bike was here",
    one: "A missing bike was here",
    /** @param {number} count */
    many: (count) => `${count} missing bikes were here`,
    /**
     * @param {string} text
     * @param {string} time
     */
    title: (text, time) => `${text} at ${time}`,
    /** @param {string} time */
    since: (time) => `It came at ${time}`,
    /** @param {string} time */
    listening: (time) => `The station was listening at ${time}`,
  },
  /** @param {string} time */
  lost: (time) => `No connection since ${time}. What is shown may be out of date.`,
  sound: {on: "Sound: on", off: "Sound: off"},
  soundBlocked: "Tap “Sound: on” once, so that this screen may make a sound.",
  language: "Language",
  status: "Status",
};
