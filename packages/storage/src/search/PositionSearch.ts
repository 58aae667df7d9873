/**
 * Finds, by bisection, the first log position of a workspace with an entry that was received at a given time or later.
 * Receipt times never decrease along the log (contract §16). The caller looks up `probe` and reports the result, until
 * `probe` is undefined.
 */
export class PositionSearch {
  private low: number
  private high: number

  /** Searches the log positions from `low` to `high`. */
  constructor(low: number, high: number) {
    this.low = low
    this.high = high
  }

  /** The position to look up next; undefined once the search has ended. */
  get probe(): number | undefined {
    return this.low < this.high ? Math.floor((this.low + this.high) / 2) : undefined
  }

  /**
   * Reports what was found at `probe`. `isLater` is true if the first entry at or after `probe` was received at the
   * wanted time or later, or if no such entry exists.
   */
  report(isLater: boolean): void {
    const probe = this.probe ?? this.low
    if (isLater) this.high = probe
    else this.low = probe + 1
  }

  /** The log position that was found. Read it after `probe` is undefined. */
  get position(): number {
    return this.low
  }
}
