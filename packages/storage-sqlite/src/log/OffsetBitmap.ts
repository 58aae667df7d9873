import { runEntries } from "./runs.ts"

const bitmapBytes = runEntries / 8

/** Which entries of a run are meant: a bit for each, by its offset in the run. */
export class Positions {
  private readonly bits: Uint8Array

  constructor(bits: Uint8Array = new Uint8Array(bitmapBytes)) {
    this.bits = bits
  }

  /** Reads the column of a posting: a bitmap, or offsets of two bytes where those are shorter. */
  static read(column: Uint8Array): Positions {
    if (column.length === bitmapBytes) return new Positions(Uint8Array.from(column))
    const positions = new Positions()
    for (let i = 0; i + 1 < column.length; i += 2) {
      positions.add((column[i] ?? 0) | ((column[i + 1] ?? 0) << 8))
    }
    return positions
  }

  /** The column of a posting with these offsets, in ascending order. */
  static column(offsets: ReadonlyArray<number>): Uint8Array {
    if (offsets.length * 2 < bitmapBytes) {
      return Uint8Array.from(offsets.flatMap((offset) => [offset & 0xff, offset >> 8]))
    }
    const positions = new Positions()
    for (const offset of offsets) positions.add(offset)
    return positions.bits
  }

  add(offset: number): void {
    this.bits[offset >> 3] = (this.bits[offset >> 3] ?? 0) | (1 << (offset & 7))
  }

  addAll(other: Positions): void {
    for (let i = 0; i < bitmapBytes; i++) this.bits[i] = (this.bits[i] ?? 0) | (other.bits[i] ?? 0)
  }

  keepOnly(other: Positions): void {
    for (let i = 0; i < bitmapBytes; i++) this.bits[i] = (this.bits[i] ?? 0) & (other.bits[i] ?? 0)
  }

  /** The offsets from `first` on that are less than `end`, in ascending order. */
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
