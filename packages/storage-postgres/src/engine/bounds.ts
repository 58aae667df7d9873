/** The limits on waiting for the database. All except `attemptsMax` are in milliseconds. */
export interface WaitLimits {
  /**
   * The longest duration of one call, including all attempts. If the connection breaks during a commit, the duration
   * also includes finding out whether the commit succeeded.
   */
  readonly transactionMsMax: number
  /**
   * The latest end of a commit, measured from the start of the call. A commit that has not ended by then is treated as
   * if its connection had broken. The rest of `transactionMsMax` is left for finding out whether this commit succeeded.
   */
  readonly commitMsMax: number
  /** The longest time from the start of the first attempt to the start of a further attempt. */
  readonly attemptsMsMax: number
  /** The largest number of attempts of a transaction, including the first attempt. */
  readonly attemptsMax: number
  /** The longest time that a statement waits for a lock. */
  readonly lockMsMax: number
  /** The longest time that a statement of a reading transaction may run. */
  readonly readStatementMsMax: number
  /**
   * The longest time that a transaction may wait for its next statement. After this time the server ends the
   * transaction, so that a hanging node does not keep its locks.
   */
  readonly idleMsMax: number
}

/**
 * The limits of a node. A request waits for at most two commits: the commit in progress and the commit of the request
 * itself. Twice `transactionMsMax` is less than the 10 seconds within which every request is answered.
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

/**
 * The longest pause in milliseconds between two reads of a snapshot. An export reads from a snapshot while its client
 * receives data. Inlet disconnects a client that receives nothing for 15 seconds, so a working export does not exceed
 * this limit.
 */
export const snapshotIdleMsMax = 60_000

/** The pause in milliseconds before the next attempt after a lost connection. */
export const reconnectMs = 100

/** The longest pause in milliseconds before the next attempt after a conflict. The length of each pause is random. */
export const conflictPauseMsMax = 40

/** The pause in milliseconds before the connection for notifications reconnects. */
export const listenAgainMs = 1000

/** The milliseconds that an unused connection stays open. */
export const unusedConnectionMs = 60_000

/**
 * The longest time, in milliseconds, that a starting node waits for a database that cannot be reached. A URL can set
 * another time.
 */
export const defaultStartMsMax = 30_000

/** The pause, in milliseconds, before a starting node tries again to reach the database. */
export const retryAwayMs = 250

/**
 * A node that has not updated its record for longer than this many seconds is regarded as stopped. It updates the record three
 * times as often, so a running node may miss one update.
 */
export const silentSecondsMax = 45
