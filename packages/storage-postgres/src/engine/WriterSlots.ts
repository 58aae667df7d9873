import { randomBytes } from "node:crypto"

/**
 * Identifies one writing transaction. A writer is a row of the table `writers`; it runs one transaction at a time, and
 * numbers them.
 */
export interface CommitMark {
  readonly workspace: number
  readonly writer: number
  readonly number: number
}

/**
 * The number of bytes of the random number that identifies a writer. JavaScript numbers represent integers of this size
 * exactly.
 */
const writerBytes = 6

/** Gives each writing transaction of this process a writer that no other one uses at the same time, and a number. */
export class WriterSlots {
  private readonly free: Array<{ readonly writer: number; readonly number: number }> = []

  take(workspace: number): CommitMark {
    const { number, writer } = this.free.pop() ?? {
      writer: randomBytes(writerBytes).readUIntBE(0, writerBytes),
      number: 0,
    }
    return { workspace, writer, number: number + 1 }
  }

  /** Frees the writer of a transaction that has ended on the server. */
  release({ number, writer }: CommitMark): void {
    this.free.push({ writer, number })
  }
}
