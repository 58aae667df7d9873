/** The shortest time between two warnings, in milliseconds. */
const intervalMs = 60_000

/**
 * Passes on at most one warning a minute. The next warning says how many warnings were left out since the last warning.
 */
export class Warnings {
  readonly #warn: (warning: string) => unknown
  #lastAt = Number.NEGATIVE_INFINITY
  #leftOut = 0

  constructor(warn: (warning: string) => void = (warning) => console.warn(warning)) {
    this.#warn = warn
  }

  add(warning: string): void {
    const now = Date.now()
    if (now - this.#lastAt < intervalMs) {
      this.#leftOut++
      return
    }
    this.#lastAt = now
    this.addLast(warning)
  }

  /** Passes on the last warning of a process, however short ago the warning before was. */
  addLast(warning: string): void {
    const more = this.#leftOut === 0 ? "" : ` (and ${this.#leftOut} more warnings before this one)`
    this.#leftOut = 0
    // Nobody is left to warn of an error in here, and it must not stop the client.
    try {
      const result = this.#warn(`inlet: ${warning}${more}`)
      if (result instanceof Promise) result.catch(() => {})
    } catch {}
  }
}
