/** The texts about sharing a bike in English. */
export const enMembers = {
  title: "Family and friends",
  lead: "They get alerts too, and see where the bike was heard while it is missing.",
  invite: "Invite somebody",
  label: "Name",
  labelHint: "What you call this person. They will see it.",
  role: "What may this person do?",
  roles: {see: "See", report: "Report", manage: "Manage"},
  explain: {
    see: "Can see the bike and its searches, and gets alerts.",
    report: "Can see everything, report the bike missing and end the search. The owner is told each time.",
    manage: "Can do all that, change the bike and its photos, and invite others.",
  },
  make: "Make a link",
  /** @param {string} name */
  linkFor: (name) => `Link for ${name}`,
  /** @param {string} until */
  linkHint: (until) => `Send it to this person only: the first person who accepts it joins. It works until ${until}.`,
  noLink: "The registry has no public address, so it can make no link. Send this code instead.",
  share: "Send the link",
  /** @param {string} bike */
  shareText: (bike) => `I would like to share my ${bike} with you on FindMyBike`,
  you: "You",
  /** @param {string} until */
  invited: (until) => `Invited, until ${until}`,
  /** @param {string} name */
  removeTitle: (name) => `Stop sharing with ${name}?`,
  removeAsk: "This person no longer sees the bike and gets no more alerts about it.",
  /** @param {string} name */
  roleOf: (name) => `Role of ${name}`,
  /** @param {string} name */
  removeNamed: (name) => `Remove ${name}`,
  /** @param {string} role */
  yours: (role) => `This bike is shared with you. Your role: ${role}.`,
  leave: "Stop sharing this bike with me",
  leaveAsk: "You no longer see the bike and get no more alerts about it. Its owner is told.",
  join: {
    title: "Somebody shares a bike with you",
    lead: "You see the bike, and get alerts when it is missing and a station hears it.",
    /** @param {string} name */
    as: (name) => `You are invited as “${name}”.`,
    submit: "Accept",
    first: "Sign in or create an account to see which bike it is.",
    none: "This link is not complete. Open it again as you got it.",
    addAlerts: "Then turn on alerts in your account.",
  },
};
