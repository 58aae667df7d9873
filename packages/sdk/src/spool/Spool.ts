/** Stores undelivered calls outside the memory of the process. Its methods are synchronous, so that they work while a process exits. */
export interface Spool {
  /** Stores the JSON of a call. Returns false if the spool is full or the storage fails. */
  readonly keep: (json: string) => boolean
  /**
   * Returns the oldest group of stored calls that was not returned before, or undefined if all groups were returned.
   * The client holds a whole group in memory.
   */
  readonly next: () => StoredCalls | undefined
}

/** Calls that the method `next` of a spool has returned. */
export interface StoredCalls {
  /** Each call as JSON. */
  readonly calls: ReadonlyArray<string>
  /** Removes the calls in `calls` from the spool. The client calls `remove` once each of these calls has an outcome. */
  readonly remove: () => void
}
