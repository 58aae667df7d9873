/**
 * Finds by bisection the first log position of a workspace that was received at a time or later. Receipt times never go
 * back along the log (contract §16). The reader looks up `probe` and reports what it found, until `probe` is undefined.
 */
export class PositionSearch {
  private low: number
  private high: number

  /** The result is at least `low` and at most `high`. */
  constructor(low: number, high: number) {
    this.low = low
    this.high = high
  }

  /** The position to look up next. Undefined if the search has ended. */
  get probe(): number | undefined {
    return this.low < this.high ? Math.floor((this.low + this.high) / 2) : undefined
  }

  /** Reports whether the first entry at or after `probe` was received at the wanted time or later, or does not exist. */
  report(isLater: boolean): void {
    const probe = this.probe ?? this.low
    if (isLater) this.high = probe
    else this.low = probe + 1
  }

  /** The position that was found. */
  get position(): number {
    return this.low
  }
}
