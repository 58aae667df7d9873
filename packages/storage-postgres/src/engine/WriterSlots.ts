import { randomBytes } from "node:crypto"

/**
 * Identifies one writing transaction by its writer and by its number. A writer (a row of the table `writers`) runs one
 * transaction at a time and numbers its transactions.
 */
export interface CommitMark {
  readonly workspace: number
  readonly writer: number
  readonly number: number
}

/**
 * The number of bytes of the random number that identifies a writer (a row of the table `writers`). JavaScript numbers
 * represent integers of this size exactly.
 */
const writerBytes = 6

/**
 * Gives each writing transaction of this process a writer (a row of the table `writers`) and a number. Transactions
 * that run at the same time have different writers.
 */
export class WriterSlots {
  private readonly free: Array<{ readonly writer: number; readonly number: number }> = []

  /**
   * Returns the mark of the next transaction. The mark contains a writer (a row of the table `writers`) that no running
   * transaction uses, and the writer's next number.
   */
  take(workspace: number): CommitMark {
    const { number, writer } = this.free.pop() ?? {
      writer: randomBytes(writerBytes).readUIntBE(0, writerBytes),
      number: 0,
    }
    return { workspace, writer, number: number + 1 }
  }

  /**
   * Frees the writer (a row of the table `writers`) of a transaction that has ended on the server. Until then, no other
   * transaction uses the writer.
   */
  release({ number, writer }: CommitMark): void {
    this.free.push({ writer, number })
  }
}
