/**
 * The secret of an invitation that waits until its person has signed in. It is in memory only: the address of the page
 * that shows it keeps it, and web storage holds no secret.
 */
let pending = "";

/** @param {string} secret */
export function keepInvitation(secret) { pending = secret; }

/**
 * Where to go after signing in: to the invitation, if one waits.
 *
 * @param {string} wanted
 */
export function afterSignIn(wanted) { return pending ? `/join#${pending}` : wanted; }
