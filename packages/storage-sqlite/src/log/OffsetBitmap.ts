import { runEntries } from "./runs.ts"

const bitmapBytes = runEntries / 8

/** The number of bits that are set in each byte value. */
const onesIn = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length)

/** A set of log entries of one run, with one bit for each position. */
export class OffsetBitmap {
  private readonly bits: Uint8Array

  constructor(bits: Uint8Array = new Uint8Array(bitmapBytes)) {
    this.bits = bits
  }

  /**
   * Decodes the column `positions` of the table `facets`, which indexes the log by values of its entries. The column
   * contains a bitmap, or a list of two-byte offsets if the list is shorter than the bitmap.
   */
  static read(column: Uint8Array): OffsetBitmap {
    if (column.length === bitmapBytes) return new OffsetBitmap(Uint8Array.from(column))
    const bitmap = new OffsetBitmap()
    for (let i = 0; i + 1 < column.length; i += 2) {
      bitmap.add((column[i] ?? 0) | ((column[i + 1] ?? 0) << 8))
    }
    return bitmap
  }

  /**
   * Encodes offsets in a run for the column `positions` of the table `facets`. The offsets must be in ascending order.
   */
  static column(offsets: ReadonlyArray<number>): Uint8Array {
    if (offsets.length * 2 < bitmapBytes) {
      return Uint8Array.from(offsets.flatMap((offset) => [offset & 0xff, offset >> 8]))
    }
    const bitmap = new OffsetBitmap()
    for (const offset of offsets) bitmap.add(offset)
    return bitmap.bits
  }

  add(offset: number): void {
    this.bits[offset >> 3] = (this.bits[offset >> 3] ?? 0) | (1 << (offset & 7))
  }

  addAll(other: OffsetBitmap): void {
    for (let i = 0; i < bitmapBytes; i++) this.bits[i] = (this.bits[i] ?? 0) | (other.bits[i] ?? 0)
  }

  intersect(other: OffsetBitmap): void {
    for (let i = 0; i < bitmapBytes; i++) this.bits[i] = (this.bits[i] ?? 0) & (other.bits[i] ?? 0)
  }

  /**
   * Returns how many log positions (as offsets in the run) from `first` up to but not including `end` are in both sets.
   */
  countShared(other: OffsetBitmap, first: number, end: number): number {
    let count = 0
    for (let at = first >> 3; at * 8 < end; at++) {
      let shared = (this.bits[at] ?? 0) & (other.bits[at] ?? 0)
      if (at * 8 < first) shared &= 0xff << (first & 7)
      if (at * 8 + 8 > end) shared &= 0xff >> (8 - (end & 7))
      count += onesIn[shared] ?? 0
    }
    return count
  }

  /** Returns the offsets in the set from `first` up to but not including `end`, in ascending order. */
  offsets(first: number, end: number): ReadonlyArray<number> {
    const found: Array<number> = []
    for (let offset = first; offset < end; offset++) {
      const bits = this.bits[offset >> 3] ?? 0
      if (bits === 0) offset |= 7
      else if ((bits & (1 << (offset & 7))) !== 0) found.push(offset)
    }
    return found
  }
}
