/*
 * The limits of waiting for the database. A request waits for the commit before its own at most, so twice `transactionMsMax`
 * is less than the 10 seconds in which every request is answered.
 */

/** A call of the database with all its attempts, and with finding out what a broken commit did, in milliseconds. */
export const transactionMsMax = 4500

/** A commit that takes until here counts as broken. The time left is for finding out what it did. */
export const commitMsMax = 3500

/** No attempt starts later than this after the first. */
export const attemptsMsMax = 3000

/** Attempts of one transaction. */
export const attemptsMax = 40

/** The wait of a statement for a lock. */
export const lockMsMax = 1000

/** The time that a statement of a reading transaction may take. */
export const readStatementMsMax = 3500

/** The time that a transaction may wait for its next statement. Then the server ends it, which frees the locks of a node that hangs. */
export const idleMsMax = 3000

/** The pause before another attempt after a lost connection. */
export const reconnectMs = 100

/** The longest pause before another attempt after a conflict. Each pause has a random length. */
export const conflictPauseMsMax = 40

/** The pause before a listener connects again. */
export const listenAgainMs = 1000

/** How long an unused connection stays open. */
export const unusedConnectionMs = 60_000
