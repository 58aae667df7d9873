import { Stream } from "effect"

/** The largest number of bytes of an imported file that are read, hashed and decoded at a time. */
export const blockBytesMax = 256 * 1024

/**
 * The number of bytes of a block that are decoded without a pause, unless a single line is longer. Even if every byte is
 * a faulty row, that takes a few milliseconds.
 */
export const pieceBytesMax = 4 * 1024

/** A block of an imported file. A block ends at the end of a line, unless a single line is longer than a block. */
export interface Block {
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

/**
 * Splits a file into blocks. Block boundaries depend only on the bytes of the file, not on the chunks in which the file
 * arrives.
 */
export const blocks = <E, R>(
  file: Stream.Stream<Uint8Array, E, R>,
  bytesMax: number = blockBytesMax,
): Stream.Stream<Block, E, R> =>
  Stream.mapAccumArray(
    file,
    () => new Cutter(bytesMax),
    (cutter, parts) => [cutter, parts.flatMap((part) => cutter.add(part))],
    { onHalt: (cutter) => [cutter.rest()] },
  )

/** Splits a block into pieces. A piece ends at the end of a line, unless it is the last piece of the block. */
export function* piecesOf({ bytes, isLast }: Block, bytesMax: number = pieceBytesMax): Iterable<Block> {
  let at = 0
  while (bytes.length - at > bytesMax) {
    const end = at + pieceEnd(bytes.subarray(at), bytesMax)
    if (end >= bytes.length) break
    yield { bytes: bytes.subarray(at, end), isLast: false }
    at = end
  }
  yield { bytes: bytes.subarray(at), isLast }
}

/** Returns the offset after the last line break within `bytesMax`. If there is none, the offset after the next one. */
const pieceEnd = (bytes: Uint8Array, bytesMax: number): number => {
  const within = bytes.subarray(0, bytesMax)
  const end = lineEndWithin(within)
  if (isBreak(within[end - 1])) return end
  const [cr, lf] = [bytes.indexOf(CR, end), bytes.indexOf(LF, end)]
  if (cr < 0 && lf < 0) return bytes.length
  if (cr < 0 || (lf >= 0 && lf < cr)) return lf + 1
  return lf === cr + 1 ? lf + 1 : cr + 1
}

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR

/**
 * The size of the buffer for an upload that has just begun, in bytes. The buffer grows with the data, so an upload that
 * has sent little holds little, however small the chunks in which it arrives.
 */
const bufferBytesMin = 4096

class Cutter {
  private buffer = new Uint8Array(bufferBytesMin)
  private size = 0
  private readonly bytesMax: number

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Adds a chunk of the file, and returns the blocks that the chunk completes. */
  add(part: Uint8Array): ReadonlyArray<Block> {
    const whole: Array<Block> = []
    let at = 0
    while (this.size + part.length - at > this.bytesMax) {
      const end = at + this.bytesMax - this.size
      this.append(part.subarray(at, end))
      whole.push({ bytes: this.cut(), isLast: false })
      at = end
    }
    this.append(part.subarray(at))
    return whole
  }

  rest(): Block {
    return { bytes: this.buffer.subarray(0, this.size), isLast: true }
  }

  private append(part: Uint8Array): void {
    const needed = this.size + part.length
    if (needed > this.buffer.length) {
      const grown = new Uint8Array(Math.max(needed, Math.min(2 * this.buffer.length, this.bytesMax)))
      grown.set(this.buffer.subarray(0, this.size))
      this.buffer = grown
    }
    this.buffer.set(part, this.size)
    this.size = needed
  }

  private cut(): Uint8Array {
    const { buffer, size } = this
    const end = lineEndWithin(buffer.subarray(0, size))
    this.buffer = new Uint8Array(Math.max(bufferBytesMin, size - end))
    this.buffer.set(buffer.subarray(end, size))
    this.size = size - end
    return buffer.subarray(0, end)
  }
}

const LF = 10
const CR = 13

/**
 * Returns the offset after the last line break, or the length if there is no line break. A CR as the last byte is left
 * for the next block, because an LF may follow.
 */
const lineEndWithin = (bytes: Uint8Array): number => {
  const lf = bytes.lastIndexOf(LF)
  if (lf >= 0) return lf + 1
  const cr = bytes.lastIndexOf(CR, -2)
  if (cr >= 0) return cr + 1
  return bytes.at(-1) === CR ? bytes.length - 1 : bytes.length
}
