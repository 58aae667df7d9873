/** Stores undelivered calls outside the memory of the process. Its methods are synchronous, so that they work while a process exits. */
export interface Spool {
  /** Stores the JSON of a call. Returns false if there is no room or the storage fails. */
  readonly keep: (json: string) => boolean
  /** Returns the oldest stored calls that were not returned before, at most one batch. */
  readonly next: () => StoredCalls | undefined
}

/** Calls from a spool. */
export interface StoredCalls {
  /** Each call as JSON. */
  readonly calls: ReadonlyArray<string>
  /** Removes the calls from the spool, once each has an outcome. */
  readonly remove: () => void
}
