/** The texts of the operator's desk. */
export const enDesk = {
  title: "Operator’s desk",
  skip: "Skip to the content",
  nav: {
    label: "Desk",
    overview: "Overview",
    stations: "Stations",
    invitations: "Invitations",
    reviews: "Reviews",
    safety: "Followed",
    messages: "Messages",
    partners: "Partners",
    audit: "Audit",
    access: "Access",
  },
  signOut: "Sign out",
  notFound: "This page does not exist.",
  notFoundHint: "It may have been deleted or revoked.",
  refresh: "Refresh",
  /** @param {string} when */
  asOf: (when) => `As of ${when}`,
  never: "never",
  unknown: "unknown",
  more: "Show more",
  show: "Show",
  actions: "Actions",
  id: "Identifier",
  reason: "Reason",
  reasonHint: "The owner gets this text. You can leave it empty.",
  signIn: {
    title: "Sign in to the desk",
    lead: "For the operators of this registry.",
    passkey: "Sign in with a passkey",
    other: "Sign in with a token",
    token: "Operator’s token",
    tokenHint: "It begins with fmb_operator_. It is sent once and not kept in this browser.",
    submit: "Sign in",
    noPasskey: "The passkey was not used. Try again, or use your operator’s token.",
    wrong: "This is not the token of an operator, or it was revoked. Check it and try again.",
    owner: "Are you looking for your bike?",
    ownerLink: "Sign in as an owner",
  },
  confirm: {
    title: "Confirm that it is you",
    lead:
        "Each change must be confirmed, so that nobody else can make one at your computer. A confirmation lasts five minutes.",
    passkey: "Use my passkey",
    orToken: "Or your token, if you lost the passkey",
    token: "Use my token",
    needed: "Nothing was done, because it was not confirmed.",
  },
  overview: {
    attention: "What needs attention",
    calm: "Nothing needs attention.",
    passkey: "Add a passkey. Without one, every change asks for your token.",
    noMap:
        "There are no streets behind the trails. A map takes ten minutes (operator’s guide, “A map behind the trail”).",
    /** @param {string} count */
    unreadable: (count) => (count === "1" ? "The key of one rotating beacon cannot be read"
                                          : `The keys of ${count} rotating beacons cannot be read`) +
        ": stations cannot hear them, or will not for long. Restore the file of beacons.keyFile (operator’s guide, “Rotating beacons”).",
    /** @param {string} count “1”, “1,000” or “1,000+” */
    lying: (count) =>
        (count === "1"
             ? "One station reported a beacon that does not exist: it has computed it from the missing list."
             : `${count} stations reported a beacon that does not exist: they have computed it from the missing list.`),
    /** @param {string} count */
    silent: (count) => (count === "1" ? "One station is silent." : `${count} stations are silent.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    deaf: (count) =>
        (count === "1" ? "One station does not hear: none of its radios works."
                       : `${count} stations do not hear: none of their radios works.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    outdated: (count) => (count === "1" ? "One station runs an older version than this registry."
                                        : `${count} stations run an older version than this registry.`) +
        " findmybike station list shows which.",
    /** @param {string} count “1”, “1,000” or “1,000+” */
    fresh: (count) =>
        (count === "1" ? "One new station has not sent a heartbeat yet."
                       : `${count} new stations have not sent a heartbeat yet.`),
    /**
     * @param {string} kind
     * @param {string} age
     */
    waiting: (kind, age) => `The oldest alert that waits for ${kind} was made ${age}.`,
    /**
     * @param {string} kind
     * @param {string} count
     */
    failing: (kind, count) =>
        `${count === "1" ? "One delivery" : `${count} deliveries`} by ${kind} failed in the last 24 hours.`,
    noBackup:
        "The registry knows of no backup. Make one every day: findmybike-registry backup (operator’s guide, “Backups”).",
    /** @param {string} when */
    oldBackup: (when) => `The last backup was made ${when}.`,
    /** @param {string} size */
    disk: (size) => `The disk has only ${size} left.`,
    noCheckpoint:
        "The audit has never been signed. Make a signing key: findmybike-registry key create --key-file FILE (operator’s guide, “Evidence for the police”).",
    /** @param {string} count “1”, “1,000” or “1,000+” */
    claims: (count) =>
        (count === "1" ? "One beacon claim is waiting for a decision."
                       : `${count} beacon claims are waiting for a decision.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    owners: (count) =>
        (count === "1" ? "One owner has many unconfirmed reports." : `${count} owners have many unconfirmed reports.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    references: (count) =>
        (count === "1" ? "One police reference is waiting for confirmation."
                       : `${count} police references are waiting for confirmation.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    safety: (count) =>
        (count === "1" ? "One person who feels followed waits for an answer, which should come within a day."
                       : `${count} people who feel followed wait for an answer, which should come within a day.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    objections: (count) =>
        (count === "1" ? "One owner objects to a stopped search." : `${count} owners object to a stopped search.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    searches: (count) =>
        (count === "1" ? "One search has signs of misuse." : `${count} searches have signs of misuse.`),
    /** @param {string} count “1”, “1,000” or “1,000+” */
    messages: (count) => (count === "1" ? "One conversation was reported." : `${count} conversations were reported.`),
    alertsTitle: "Alerts",
    noAlerts: "No alerts are waiting, and none failed in the last 24 hours.",
    channel: "Channel",
    waitingHead: "Waiting",
    oldest: "Oldest",
    failures: "Failed in 24 h",
    lastError: "Last error",
    storageTitle: "Storage and audit",
    database: "Database",
    log: "Write-ahead log",
    free: "Free on its disk",
    backup: "Last backup",
    auditLength: "Entries in the audit",
    lastCheckpoint: "Last signed",
    missingTitle: "Missing list",
    version: "Version",
    bikes: "Bikes",
    entries: "Entries",
    size: "Size",
    disputedTitle: "Disputed sightings of the last 7 days",
    noDisputed: "None.",
    count: "Sightings",
    /** @param {number} minutes */
    silentAfter: (minutes) => `A station counts as silent after ${minutes} minutes without a heartbeat.`,
  },
  states: {listening: "Listening", deaf: "Does not hear", silent: "Silent", new: "New", revoked: "Revoked"},
  kinds: {
    webhook: "webhook",
    ntfy: "ntfy",
    email: "e-mail",
    webpush: "Web Push",
    apns: "Apple push",
  },
  list: {
    title: "Stations",
    search: "Name",
    state: "State",
    all: "All",
    label: "List of stations",
    hint: "In the list, the arrow keys move between stations. Enter opens one.",
    /**
     * @param {string} shown
     * @param {string} all
     */
    count: (shown, all) => `${shown === all ? "" : `${shown} of `}${all} ${all === "1" ? "station" : "stations"}`,
    /** @param {string} count */
    leftOut: (count) => `There are more than ${count} stations. The others are not listed here.`,
    none: "No station matches.",
    empty: "There are no stations yet.",
    invite: "Invite a station",
    map: "Map of the stations",
    fit: "Show all",
    closer: "Closer",
    farther: "Farther",
    legend: "On the map",
    revoked: "Revoked stations are not listed. The audit has their identifiers.",
    lookUp: "Open a station by identifier",
  },
  station: {
    health: "Health",
    lastHeartbeat: "Last heartbeat",
    noHeartbeat: "none yet",
    programVersion: "Monitor",
    listVersion: "Missing list",
    /**
     * @param {string} own
     * @param {string} newest
     */
    listOf: (own, newest) => `version ${own}; the newest is ${newest}`,
    venue: "Venue",
    place: "Place",
    mobile: "mobile, reports its own place",
    placedSince: "There since",
    enrolled: "Enrolled",
    revoked: "Revoked",
    quarantined: "In quarantine since",
    /** @param {string} count */
    judging: (count) => `Its sightings are being judged again: ${count} so far.`,
    audit: "Audit entries about this station",
    adapters: "Radios",
    adapter: "Radio",
    adapterState: "State",
    adapterStates: {idle: "off", starting: "starting", scanning: "works", recovering: "restarting", failed: "failed"},
    heard: "Last heard",
    reports: "Adverts",
    dropped: "Dropped",
    error: "Last error",
    /** @param {string} time */
    before: (time) => `${time} earlier`,
    coverage: "What it heard",
    day: "Day",
    earlier: "Previous day",
    later: "Next day",
    nothingYet: "Nothing is known about this day yet. A station reports each quarter of an hour when it has ended.",
    nothing: "Nothing is known about this day: the station sent nothing, or its monitor is too old to send coverage.",
    /**
     * @param {string} hours
     * @param {string} adverts
     */
    summary: (hours, adverts) => `It listened for ${hours} and heard ${adverts} adverts.`,
    chart: "How long it listened in each hour of the day",
    key:
        "The height of a bar is the time that the station listened. Striped: its missing list was over ten minutes old, or of unknown age.",
    asTable: "As a table",
    hour: "Hour",
    listened: "Listened",
    adverts: "Adverts",
    devices: "Devices",
    restarts: "Restarts",
    listAge: "Oldest list",
    notAtAll: "not at all",
    rename: "Rename",
    renameTitle: "Rename the station",
    name: "Name",
    nameHint: "Owners read it in alerts.",
    venueHint: "Stations of one venue do not corroborate each other.",
    move: "Move",
    moveTitle: "Move the station",
    moveLead:
        "Each sighting is judged by where the station was at that time. Sightings since the move are judged again.",
    latitude: "Latitude",
    longitude: "Longitude",
    accuracy: "Accuracy (m)",
    movedAt: "When was it moved?",
    movedHint: "At most 30 days ago. If you leave it empty, it is now.",
    revoke: "Revoke",
    /** @param {string} name */
    revokeTitle: (name) => `Revoke ${name}?`,
    revokeLead: "Its token stops working at once and permanently. To come back, the machine needs a new invitation.",
    quarantine: "Quarantine its sightings since",
    quarantineHint: "Sightings since then count as disputed. Leave it empty to keep trusting them.",
    distrust: "Quarantine its sightings",
    /** @param {string} name */
    distrustTitle: (name) => `Quarantine the sightings of ${name}?`,
    distrustLead: "Its sightings since then count as disputed and are judged again. This cannot be undone.",
  },
  place: {
    map: "Map on which the place can be chosen",
    mark: "The chosen place: drag it",
    hint: "Click the map, drag the mark, or enter the coordinates.",
    /** @param {string} distance */
    far: (distance) => `This place is ${distance} from the nearest other station.`,
    swapped: "Perhaps latitude and longitude were swapped.",
    check: "Check the coordinates: a minus or a digit may be wrong.",
    swap: "Swap them",
  },
  displays: {
    title: "Displays",
    lead: "A screen at the venue that shows which missing bikes are there, and takes the answers of staff.",
    none: "This station has no display.",
    name: "Display",
    nameHint: "Where the screen is, for example Counter.",
    connected: "Connected",
    /** @param {string} until */
    waiting: (until) => `the code works until ${until}`,
    lastUsed: "Last used",
    add: "Add a display",
    make: "Make a code for it",
    /** @param {string} until */
    made: (until) => `Open this address on the screen before ${until}. The code works once and is not shown again.`,
    link: "Address for the screen",
    code: "Code for the display",
    rename: "Rename",
    renameTitle: "Rename the display",
    /** @param {string} name */
    renameNamed: (name) => `Rename the display ${name}`,
    remove: "Remove",
    /** @param {string} name */
    removeNamed: (name) => `Remove the display ${name}`,
    /** @param {string} name */
    removeTitle: (name) => `Remove the display ${name}?`,
    removeLead: "Its screen shows nothing any more. To come back, it needs a new code.",
  },
  invitations: {
    title: "Invitations",
    station: "Invite a station",
    lead:
        "Check the coordinates: the registry uses the place that you enter, not one that the station reports. You can paste latitude and longitude together from a map.",
    name: "Name of the station",
    venueHint:
        "Enter it if several machines belong to the same person. If you leave it empty, the station’s name is used.",
    mobile: "It moves, for example in a vehicle",
    submit: "Make a code",
    made: "The code is shown only now. It works once.",
    code: "Code",
    /** @param {string} when */
    expires: (when) => `It expires ${when}.`,
    command: "Type on the station’s machine",
    waiting: "Not accepted yet",
    none: "No invitation is open.",
    created: "Made",
    expiresHead: "Expires",
    cancel: "Cancel the invitation",
    /** @param {string} name */
    cancelNamed: (name) => `Cancel the invitation of ${name}`,
    /** @param {string} name */
    cancelTitle: (name) => `Cancel the invitation of ${name}?`,
    cancelLead: "Its code stops working.",
    owner: "Invite an owner",
    ownerLead: "Needed only if the settings require an invitation for new owners.",
    ownerSubmit: "Make a code for an owner",
    ownerHint: "The owner enters it on the page “Create an account”, or with findmybike login --new.",
  },
  references: {
    title: "Police references to confirm",
    lead:
        "Confirm one only after you have seen a letter from the police, or have called them on a number that you looked up yourself. The oldest come first.",
    none: "No reference is waiting.",
  },
  searches: {
    title: "Searches with signs of misuse",
    lead:
        "Facts and no verdict: most of these are honest. Look at the owner, ask for the police reference, and stop a search only if you can say why.",
    none: "No search has such signs.",
    signs: "Signs",
    sign: {
      newBeacon: () => "The beacon was new.",
      /** @param {string} count */
      reportedAgain: (count) => `The owner reported bikes ${count} times in 30 days.`,
      /** @param {string} count */
      nightsAtOnePlace: (count) => `${count} of 14 nights near one station.`,
    },
  },
  reviews: {
    title: "Reviews",
    claims: "Beacon claims",
    claimsLead:
        "Some owners use a beacon with values of its own. Accept it only if you have seen the beacon in its owner’s hand, and its values in its maker’s app. If in doubt, refuse: the owner can still test it at a station.",
    noClaims: "No claim is waiting.",
    beacon: "Beacon",
    taken: "Another bike has or had these values, so they cannot be accepted.",
    accept: "Accept",
    acceptTitle: "Accept this beacon?",
    acceptLead: "Every station can then search for it. The owner gets a message.",
    refuse: "Refuse",
    refuseTitle: "Refuse this beacon?",
    refuseLead: "The owner gets a message, and can still test the beacon at a station.",
    owners: "Owners",
    ownersLead: "Those with the most reports without a confirmed police reference come first.",
    noOwners: "There are no owners yet.",
    owner: "Owner",
    bike: "Bike",
    created: "Since",
    active: "Last active",
    reports: "Reports",
    unconfirmed: "Unconfirmed",
    suspended: "Suspended",
    lookUp: "Open an owner by identifier",
    stop: "Stop a search for a beacon",
    stopLead:
        "Somebody says that they are followed? A thief can say that, too. If you cannot tell, stop the search, then ask the owner for the police reference: a stop can be undone. The owner gets the reason on all channels. Do not write in it who asked, when, or where.",
    values: "Beacon, as UUID:major:minor",
    valuesHint: "For example 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:10:26049",
    valuesWrong: "Write the beacon as UUID:major:minor.",
    stopSubmit: "Stop it",
    allowSubmit: "Allow it again",
    stopped: "Stations no longer search for this beacon.",
    allowed: "Stations may search for this beacon again.",
  },
  owner: {
    /** @param {string} id */
    title: (id) => `Owner ${id}`,
    bikes: "Bikes",
    verified: "Verified",
    verify: "Verify",
    verifyTitle: "Do you know who this owner is?",
    verifyLead:
        "Verify an owner after you have checked a name and an address; do not enter them here. Their beacons then never count as new.",
    unverify: "Withdraw the verification",
    unverifyTitle: "Withdraw the verification?",
    unverifyLead: "Open searches go on, and the owner keeps its rotating beacons.",
    suspend: "Suspend",
    suspendTitle: "Suspend this owner?",
    suspendLead:
        "All of the owner’s bikes leave the missing list, and no new search can begin. The owner gets a message.",
    resume: "Lift the suspension",
    resumeTitle: "Lift the suspension?",
    resumeLead: "The owner’s bikes are searched for again. The owner gets a message.",
    /** @param {string} when */
    suspendedSince: (when) => `Suspended since ${when}.`,
    quotas: "Quotas",
    quotasHint: "The grey numbers come from the registry’s settings. Enter a number to replace one for this owner.",
    quotaNames: {bikes: "Bikes", channels: "Channels", tokens: "Tokens", openReports: "Open reports", photos: "Photos"},
    save: "Save",
    saved: "Saved",
    reports: "Reports",
    noReports: "No report has been opened.",
    opened: "Opened",
    closed: "Closed",
    running: "open",
    reference: "Police reference",
    rotating: "A rotating beacon: this is only its name in the registry",
    noReference: "none",
    searched: "Searched until",
    untilClosed: "it is closed",
    confirmed: "Confirmed",
    stoppedChip: "Stopped",
    confirm: "Confirm",
    /** @param {string} reference */
    confirmTitle: (reference) => `Confirm the reference ${reference}?`,
    confirmLead:
        "Confirm it only after you have seen a letter from the police, or have called them on a number that you looked up yourself. The bike is then searched for until the report is closed.",
    withdraw: "Withdraw",
    /** @param {string} reference */
    withdrawTitle: (reference) => `Withdraw the confirmation of ${reference}?`,
    withdrawLead: "The search then ends at its usual time. The owner gets a message.",
    audit: "Audit entries about this owner",
  },
  safety: {
    title: "People who feel followed",
    lead:
        "What they have written, the oldest first. Answer within a day. Anybody can write this, a thief too: stopping a search is your decision.",
    none: "Nobody waits for an answer.",
    noBeacon: "Without what a beacon sends.",
    search: "Search",
    /** @param {string} when */
    stopped: (when) => `Stopped ${when}`,
    allowed: "It may be searched for.",
    unknown: "No bike here has this beacon, or it changes its values and its bike was not missing.",
    stop: "Stop the search",
    stopTitle: "Stop searches for this beacon?",
    stopLead:
        "No station searches for it until you allow it again. The bike’s owner gets the reason on all channels. Do not write in it who asked, when, or where.",
    reasonHint: "The owner reads this. It is also in the audit.",
    allow: "Allow the search again",
    allowTitle: "Allow searches for this beacon again?",
    allowLead: "The bike’s owner gets a message.",
    close: "Answer and close",
    closeTitle: "Close this?",
    closeLead: "It leaves this list. The answer is on the page whose address the person has, for 30 days.",
    answer: "Answer",
    answerHint: "You can leave it empty. Never say whose the beacon is: that is for the police.",
  },
  objections: {
    title: "Objections to stops",
    lead: "An owner can object once. Allow the search again, or say why not.",
    none: "No objection waits for an answer.",
    answer: "Answer and keep it stopped",
    answerTitle: "Keep this search stopped?",
    answerHint: "The owner reads this on all channels. Do not write who asked, when, or where.",
  },
  messages: {
    title: "Reported messages",
    lead: "Conversations that a finder, a buyer or an owner has reported, the oldest first.",
    none: "No conversation is reported.",
    from: {finder: "Finder", buyer: "Buyer", owner: "Owner"},
    reportedBy: {
      finder: (/** @type {string} */ when) => `Reported by the finder ${when}`,
      buyer: (/** @type {string} */ when) => `Reported by the buyer ${when}`,
      owner: (/** @type {string} */ when) => `Reported by the owner ${when}`,
    },
    photo: "Photo from the finder",
    showPhoto: "Show the finder’s photo",
    by: {
      sticker: "Through the sticker",
      beacon: "Through the beacon",
      number: "After a check of the bike’s number",
      share: "By a link to the search"
    },
    /** @param {string} when */
    deleted: (when) => `It will be deleted ${when}.`,
    settle: "Settle",
    settleTitle: "Settle this report?",
    settleLead: "It leaves this list, and you can no longer read the conversation. The owner still can.",
    seeOwner: "Show the owner",
  },
  audit: {
    title: "Audit",
    lead: "Every change and who made it, the latest first. Erased entries have no content.",
    action: "Action",
    about: "About",
    resources: {"": "Anything", station: "Station", owner: "Owner", bike: "Bike", report: "Report"},
    from: "From",
    until: "Until",
    search: "Search",
    none: "No entry matches.",
    number: "No.",
    time: "Time",
    who: "Who",
    what: "What",
    details: "Details",
    registry: "the registry",
    principals: {operator: "operator", owner: "owner", station: "station"},
    /** @param {string} index */
    erased: (index) => `Erased by entry ${index}`,
    erasedPlain: "Erased",
    next: "Earlier entries",
    first: "Latest entries",
    checkpoint: "Download a signed checkpoint",
    checkpointHint:
        "Keep it on another machine. It shows later whether somebody has rewritten the audit (findmybike-registry audit verify).",
    aboutNeedsID: "Enter the identifier, for example 019aa4e1-1c2d-7a3b-8c4d-5e6f70819205.",
  },
  access: {
    title: "Access",
    passkeys: "Your passkeys",
    passkeysLead: "Once you have one, every change needs a passkey, and the token is no longer enough.",
    noPasskeys: "You have no passkey. Every change asks for your token.",
    addPasskey: "Add a passkey",
    unsupported: "This browser cannot keep passkeys.",
    /** @param {string} name */
    removePasskey: (name) => `Remove the passkey “${name}”?`,
    removePasskeyLead: "It no longer signs you in, and the browsers that it signed in are signed out.",
    remove: "Remove",
    sessions: "Your signed-in browsers",
    sessionsLead: "A session ends after an hour without use, and at the latest after 12 hours.",
    here: "This browser",
    signedIn: {passkey: "with a passkey", token: "with the token"},
    /** @param {string} when */
    began: (when) => `signed in ${when}`,
    /** @param {string} when */
    used: (when) => `last used ${when}`,
    neverUsed: "never used",
    endSession: "Sign out",
    /** @param {string} name */
    endTitle: (name) => `Sign out “${name}”?`,
    endLead: "Whoever uses that browser has to sign in again.",
    operators: "Operators",
    name: "Name",
    made: "Since",
    state: "State",
    active: "Active",
    /** @param {string} when */
    revokedOn: (when) => `Revoked ${when}`,
    you: "you",
    add: "Add an operator",
    addLead: "Another operator can do everything that you can do, including revoking you.",
    token: "Token",
    /** @param {string} name */
    tokenFor: (name) => `Token of ${name}`,
    tokenOnce: "The token is shown only now. Hand it over in person.",
    revoke: "Revoke",
    /** @param {string} name */
    revokeNamed: (name) => `Revoke ${name}`,
    /** @param {string} name */
    revokeTitle: (name) => `Revoke ${name}?`,
    revokeLead: "The operator’s token and passkeys stop working at once, and all sessions end.",
  },
  /** In place of the owners' texts for these problems. */
  problems: {
    kinds: {
      "confirmation-needed": "Confirm with your passkey or token, and try again.",
      "changed-meanwhile": "Somebody else has changed it in the meantime. Reload the page and try again.",
      "forbidden": "You are not an operator. Sign in with an operator’s token.",
      "identity-taken": "Another bike has or had a beacon with these values, so they cannot be accepted.",
      "invitation-accepted": "This invitation has been accepted: the station exists. Revoke the station instead.",
      "invalid-query": "The search is invalid. Check the identifier and the action.",
      "invalid-page": "This page of the list no longer exists. Start with the first one.",
      "invitations-full": "Too many invitations are open. Cancel one first.",
      "last-operator": "The only operator cannot be revoked here. Add another one first.",
      "passkey-copied":
          "There may be a copy of this passkey. Sign in with the token, remove the passkey and add a new one.",
      "passkey-refused": "This passkey was not accepted. Try again, or sign in with the token.",
      "sign-in-unavailable":
          "Passkeys do not work here yet: set publicURL in the registry’s settings to its https address.",
      "signing-key-missing": "The registry has no key to sign with. The operators’ guide says how to make one.",
      "token-unusable": "This is not the token of an operator, or it was revoked. Check it and try again.",
      "too-many-passkeys": "You have five passkeys, which is the most. Remove one that you no longer use.",
    },
    fields: {
      accuracy: "Enter 0 to 10,000 metres, or leave it empty.",
      bikes: "Enter a whole number from 0 to 100,000.",
      channels: "Enter a whole number from 0 to 100,000.",
      latitude: "Enter degrees from −90 to 90, for example 51.50072, or both coordinates: 51.50072, −0.12463.",
      longitude: "Enter degrees from −180 to 180, for example −0.12463.",
      openReports: "Enter a whole number from 0 to 100,000.",
      photos: "Enter a whole number from 0 to 100,000.",
      policeReference: "The owner has changed the reference. Reload the page.",
      quarantineSince: "Enter a time that is not in the future.",
      reason: "Use 500 characters at most.",
      since: "Enter a time after the last move or the enrolment, not in the future, and at most 30 days ago.",
      tokens: "Enter a whole number from 0 to 100,000.",
      venue: "Use 1 to 64 characters.",
    },
  },
};
