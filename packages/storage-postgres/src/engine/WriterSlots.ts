import { randomBytes } from "node:crypto"

/** Names one transaction: its writer runs one transaction at a time and numbers its transactions. */
export interface CommitMark {
  readonly workspace: number
  readonly writer: number
  readonly number: number
}

/** The size of the random number that names a writer. Numbers of this size are exact in JavaScript. */
const writerBytes = 6

/** Names the writing transactions of this process. Transactions that run at the same time have different writers. */
export class WriterSlots {
  private readonly free: Array<{ readonly writer: number; readonly number: number }> = []

  /** Names the next transaction of a free writer. */
  take(workspace: number): CommitMark {
    const { number, writer } = this.free.pop() ?? {
      writer: randomBytes(writerBytes).readUIntBE(0, writerBytes),
      number: 0,
    }
    return { workspace, writer, number: number + 1 }
  }

  /** Frees the writer of a transaction that has ended on the server. A writer that is not freed is not used again. */
  release({ number, writer }: CommitMark): void {
    this.free.push({ writer, number })
  }
}
