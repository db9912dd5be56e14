/** The texts of the desk's pages about partner registries. */
export const enPartners = {
  title: "Partner registries",
  lead:
      "The stations of partners search for each other’s missing bikes. Become a partner only of a registry whose operator you know.",
  partners: "Partners",
  none: "There are no partners yet.",
  name: "Your name for the other registry",
  nameHint: "Owners read it in alerts, as in “Bahnhofbuffet (via Zürich)”.",
  nameHead: "Name",
  state: "State",
  states: {invited: "Invited", active: "Active", suspended: "Suspended"},
  listed: "Its missing bikes",
  waiting: "Waiting for it",
  stations: "Its stations",
  invite: "Invite a registry",
  inviteLead: "The operator of the other registry gets a code, which works once, for a day.",
  inviteSubmit: "Make a code",
  code: "Code",
  command: "Command for the other operator",
  /** @param {string} when */
  expires: (when) => `It is shown this once, and works until ${when}.`,
  accept: "Accept an invitation",
  acceptLead: "Another operator has sent you an address and a code.",
  address: "Address of the other registry",
  acceptSubmit: "Accept",
  compare:
      "Compare the fingerprint of its signing key with what its operator tells you. If they differ, somebody is between you: remove the partner.",
  key: "Signing key",
  limits: "Limits",
  limitsHint: "What you take from this partner. A rotating beacon has about forty hashes on a list.",
  mostListed: "Hashes on its list",
  mostVisits: "Visits in an hour",
  save: "Save",
  saved: "Saved",
  list: "Its missing list",
  /**
   * @param {string} count
   * @param {string} when
   */
  confirmed: (count, when) => `${count} hashes, confirmed ${when}`,
  /** @param {string} reason */
  notRead: (reason) => `Not read: ${reason}`,
  sent: "Sent",
  /**
   * @param {string} stored
   * @param {string} ignored
   * @param {string} refused
   */
  sentText: (stored, ignored, refused) => `${stored} stored, ${ignored} ignored, ${refused} refused`,
  notSent: "Not sent",
  since: "Since",
  suspendedSince: "Suspended since",
  invitedUntil: "Invitation ends",
  audit: "Audit entries about partners",
  suspend: "Suspend",
  /** @param {string} name */
  suspendTitle: (name) => `Suspend ${name}?`,
  suspendLead:
      "It has no access until you resume it, and your stations stop searching for its bikes. What waits for it keeps waiting.",
  resume: "Resume",
  /** @param {string} name */
  resumeTitle: (name) => `Resume ${name}?`,
  resumeLead: "It has access again, and your stations search for its bikes.",
  remove: "Remove",
  /** @param {string} name */
  removeTitle: (name) => `Remove ${name}?`,
  removeLead: "This ends the partnership. What waits for the partner is deleted; sightings of its stations stay.",
  cancel: "Cancel the invitation",
  /** @param {string} name */
  cancelTitle: (name) => `Cancel the invitation of ${name}?`,
  cancelLead: "The code no longer works.",
  quarantine: "Dispute its sightings since",
  quarantineHint: "Leave it empty to keep them as they are.",
  kinds: {
    "partner-unreachable": "The other registry did not accept. Check its address and the code, and try again.",
    "links-unavailable": "The registry does not know its own address: set publicURL in its settings.",
  },
};
