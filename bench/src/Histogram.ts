const perOctave = 64
const octaves = 32

/** Latencies in buckets that are one percent wide, so that memory does not grow with their number. */
export class Histogram {
  private readonly counts = new Uint32Array(perOctave * octaves)
  private total = 0

  add(milliseconds: number): void {
    const micros = Math.max(1, milliseconds * 1000)
    const bucket = Math.min(this.counts.length - 1, Math.floor(Math.log2(micros) * perOctave))
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.total++
  }

  /** The latency in milliseconds that this share of all stays below; NaN where there is none. */
  quantile(share: number): number {
    const rank = Math.ceil(share * this.total)
    let seen = 0
    for (const [bucket, count] of this.counts.entries()) {
      seen += count
      if (count > 0 && seen >= rank) return 2 ** ((bucket + 0.5) / perOctave) / 1000
    }
    return Number.NaN
  }
}
