/** The limits of waiting for the database, in milliseconds unless a limit says otherwise. */
export interface WaitLimits {
  /** A call of the database with all its attempts, and with finding out what a broken commit did. */
  readonly transactionMsMax: number
  /** A commit that takes until here counts as broken. The time left is for finding out what it did. */
  readonly commitMsMax: number
  /** No attempt starts later than this after the first. */
  readonly attemptsMsMax: number
  /** Attempts of one transaction. */
  readonly attemptsMax: number
  /** The wait of a statement for a lock. */
  readonly lockMsMax: number
  /** The time that a statement of a reading transaction may take. */
  readonly readStatementMsMax: number
  /**
   * The time that a transaction may wait for its next statement. Then the server ends the transaction, which frees the locks of a
   * node that hangs.
   */
  readonly idleMsMax: number
}

/**
 * The limits of a node. A request waits for at most two commits, its own and the one before, so twice `transactionMsMax` is less than
 * the 10 seconds in which every request is answered.
 */
export const nodeWaitLimits: WaitLimits = {
  transactionMsMax: 4500,
  commitMsMax: 3500,
  attemptsMsMax: 3000,
  attemptsMax: 40,
  lockMsMax: 1000,
  readStatementMsMax: 3500,
  idleMsMax: 3000,
}

/** The pause before another attempt after a lost connection. */
export const reconnectMs = 100

/** The longest pause before another attempt after a conflict. Each pause has a random length. */
export const conflictPauseMsMax = 40

/** The pause before a listener connects again. */
export const listenAgainMs = 1000

/** How long an unused connection stays open. */
export const unusedConnectionMs = 60_000
