/** Above this rate, in operations a second, the feed shows a sample. */
const rateMax = 200

/** The approximate largest number of operations a second that a sample shows. */
const sampledRateMax = 150

const windowMs = 1_000

/**
 * The weight of the last second in the measured rate when the rate falls. A lower weight makes the measured rate fall
 * more slowly after a burst, so that the sampling factor changes less often.
 */
const weight = 0.3

const factors = [1, 2, 4]

/** Decides which operations of a fast stream are shown. */
export class Sampler {
  /** The sampling factor: the page shows one in `oneIn` operations. */
  oneIn = 1
  private rate = 0
  private windowStart: number | undefined
  private inWindow = 0
  private sinceShown = 0

  /** Counts an operation and returns whether it is shown. */
  take(nowMs: number): boolean {
    this.roll(nowMs)
    this.inWindow++
    // In a burst, sampling starts at once instead of at the end of the current second.
    if (this.inWindow > rateMax * this.oneIn) this.oneIn = oneInAt(this.inWindow)
    this.sinceShown++
    if (this.sinceShown < this.oneIn) return false
    this.sinceShown = 0
    return true
  }

  /** Must be called while no operations arrive, so that the measured rate falls. */
  idle(nowMs: number): void {
    this.roll(nowMs)
  }

  private roll(nowMs: number): void {
    this.windowStart ??= nowMs
    const elapsedMs = nowMs - this.windowStart
    if (elapsedMs < windowMs) return
    const rate = (this.inWindow * 1_000) / elapsedMs
    this.rate = rate > this.rate ? rate : this.rate * (1 - weight) + rate * weight
    this.oneIn = oneInAt(this.rate)
    this.windowStart = nowMs
    this.inWindow = 0
  }
}

/**
 * Returns n for a rate of operations, so that one in n operations is shown. The possible values of n are 1, 2, 4, 10,
 * 20, 40, 100 and so on.
 */
const oneInAt = (rate: number): number => {
  if (rate <= rateMax) return 1
  for (let power = 1; ; power *= 10) {
    const found = factors.find((factor) => rate / (factor * power) <= sampledRateMax)
    if (found !== undefined) return found * power
  }
}
