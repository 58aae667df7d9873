import { Stream } from "effect"

/** The largest number of bytes of an imported file that are read, hashed and decoded at a time. */
export const blockBytesMax = 256 * 1024

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

class Cutter {
  private parts: Array<Uint8Array> = []
  private size = 0
  private readonly bytesMax: number

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Adds a chunk of the file, and returns the blocks that the chunk completes. */
  add(part: Uint8Array): ReadonlyArray<Block> {
    this.parts.push(part)
    this.size += part.length
    const whole: Array<Block> = []
    while (this.size > this.bytesMax) whole.push({ bytes: this.cut(), isLast: false })
    return whole
  }

  rest(): Block {
    return { bytes: joined(this.parts, this.size), isLast: true }
  }

  private cut(): Uint8Array {
    const bytes = joined(this.parts, this.size)
    const end = lineEndWithin(bytes.subarray(0, this.bytesMax))
    this.parts = [bytes.subarray(end)]
    this.size = bytes.length - end
    return bytes.subarray(0, end)
  }
}

const joined = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
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
