/** Above this rate, in operations a second, the feed shows a sample. */
const rateMax = 200

/** A sample has about this many operations a second. */
const sampledRate = 125

const windowMs = 1_000

/** Decides which operations of a fast stream are shown. */
export class Sampler {
  /** Of this many operations, one is shown. */
  oneIn = 1
  private windowStart = 0
  private inWindow = 0
  private sinceShown = 0

  /** Counts an operation and returns whether it is shown. */
  take(nowMs: number): boolean {
    this.roll(nowMs)
    this.inWindow++
    // A burst is sampled at once, not only when its second is over.
    if (this.inWindow > rateMax * this.oneIn) this.oneIn = Math.ceil(this.inWindow / sampledRate)
    this.sinceShown++
    if (this.sinceShown < this.oneIn) return false
    this.sinceShown = 0
    return true
  }

  /** Lets the rate fall while no operations arrive. */
  idle(nowMs: number): void {
    this.roll(nowMs)
  }

  private roll(nowMs: number): void {
    const elapsedMs = nowMs - this.windowStart
    if (elapsedMs < windowMs) return
    const rate = (this.inWindow * 1_000) / elapsedMs
    this.oneIn = rate > rateMax ? Math.ceil(rate / sampledRate) : 1
    this.windowStart = nowMs
    this.inWindow = 0
  }
}
