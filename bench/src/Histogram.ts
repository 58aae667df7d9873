const perOctave = 64
const octaves = 32

/** A histogram of latencies. Its buckets are one percent wide, so its size does not grow with the number of values. */
export class Histogram {
  private readonly counts = new Uint32Array(perOctave * octaves)
  private total = 0

  add(milliseconds: number): void {
    const micros = Math.max(1, milliseconds * 1000)
    const bucket = Math.min(this.counts.length - 1, Math.floor(Math.log2(micros) * perOctave))
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.total++
  }

  /**
   * Returns the latency in milliseconds below which this share of all latencies lies. Returns NaN if the histogram is
   * empty.
   */
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
