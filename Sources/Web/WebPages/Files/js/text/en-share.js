/** The texts of links to a search: for the owner who makes them, and for those who open them. */
export const enShare = {
  share: {
    title: "Share this search",
    lead:
        "Make a link for friends, a club or the police. Anyone who has it sees the bike, its photos and where stations hear it, without an account.",
    make: "Make a link",
    label: "Who is it for?",
    labelHint: "Only you see this.",
    lasts: "It works for",
    /** @type {[hours: number, text: string][]} */
    durations: [[1, "1 hour"], [24, "1 day"], [72, "3 days"], [168, "7 days"], [720, "30 days"]],
    hint: "It ends earlier if you revoke it, when the search is over, and when this browser is signed out.",
    made: "Send this link now: it is not shown again. Anyone who has it can follow the search.",
    link: "Link",
    send: "Send",
    unnamed: "Link",
    /** @param {string} when */
    until: (when) => `works until ${when}`,
    /**
     * @param {number} count
     * @param {string} when
     */
    opened: (count, when) => (count === 1 ? `opened once, ${when}` : `opened ${count} times, last ${when}`),
    never: "not opened yet",
    revoke: "Revoke",
  },
  shared: {
    lead: "The owner of this bike lets you follow the search.",
    none: "No station has heard it yet. It appears here as soon as one does.",
    disputed: "So far there are only disputed sightings.",
    photo: "Photo of the bike",
    /** @param {string} when */
    until: (when) => `This link works until ${when}. Please do not publish it.`,
    advice: "Do not confront anybody. If you see the bike, tell the owner and the police.",
    write: {
      title: "Write to the owner",
      lead: "The owner sees that you have this link. Neither of you learns the other’s name or address.",
      message: "Your message",
      hint: "At most 500 characters. Where did you see the bike, and when?",
      send: "Send",
      sent:
          "Your message has been sent. Answers appear only on the page of your conversation: open it and keep its address.",
      open: "Open the conversation",
    },
    over: "The search is over.",
    outcomes: {
      recovered: "The bike is back",
      falseAlarm: "The bike was not stolen",
      givenUp: "The owner is no longer looking for the bike",
      expired: "The owner is no longer looking for the bike",
    },
    ended: "This link has ended",
    endedHint: "It worked for a limited time. Ask the person who sent it for a new one.",
    unknown: "This link does not work",
    unknownHint: "It was revoked, or it was not copied completely. Ask the person who sent it for a new one.",
  },
};
