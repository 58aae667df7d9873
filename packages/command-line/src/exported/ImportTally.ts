import { managementTexts } from "@inlethq/contract/values/managementTexts"
import { Console, Effect } from "effect"
import { orInterrupted } from "../server/interruption.ts"

/** The largest number of errors that the summary of an import lists. */
const errorsMax = 100

/** Counts the lines of an exported file by result, and collects their errors. */
export class ImportTally {
  rows = 0
  private failed = 0
  private skipped = 0
  private readonly errors: Array<{ readonly line: number; readonly message: string }> = []
  /** The lines that have an error and have not been passed to `settle` yet, by line number. */
  private readonly failing = new Set<number>()

  private erased = 0
  /** Like `failing`, for the lines about somebody who was erased since. */
  private readonly erasing = new Set<number>()

  /** Like `failing`, for the lines of which something was imported. */
  private readonly imported = new Set<number>()

  /** Records an error of a line. A line may have several errors. */
  fail(line: number, message: string): void {
    this.note(line, message)
    this.failing.add(line)
  }

  /** Records an error that does not make a line fail. */
  note(line: number, message: string): void {
    if (this.errors.length < errorsMax) this.errors.push({ line, message })
  }

  /** Records that a part of a line was imported. */
  take(line: number): void {
    this.imported.add(line)
  }

  /** Records that a line is about somebody who was erased since. */
  leaveOut(line: number): void {
    this.erasing.add(line)
  }

  /**
   * Counts a line. It counts as failed if `fail` was called for it, otherwise as imported if `take` was, otherwise as
   * erased if `leaveOut` was, otherwise as skipped. Must be called after all entities of the line were sent.
   */
  settle(line: number): void {
    this.rows++
    const isImported = this.imported.delete(line)
    const isErased = this.erasing.delete(line)
    if (this.failing.delete(line)) this.failed++
    else if (!isImported && isErased) this.erased++
    else if (!isImported) this.skipped++
  }

  get summary() {
    const { erased, errors, failed, rows, skipped } = this
    return { rows, imported: rows - failed - skipped - erased, skipped, erased, failed, errors }
  }
}

/**
 * If an error or Ctrl-C interrupts an import, prints how to resume the import. Prints nothing if an error occurs before
 * a line was imported.
 */
export const orUnfinished =
  (tally: ImportTally) =>
  <A, E, R>(lines: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    lines.pipe(
      Effect.tapError(() =>
        tally.rows === 0 ? Effect.void : Console.error(`inlet: ${managementTexts.importInterrupted()}`),
      ),
      orInterrupted(managementTexts.importInterrupted()),
    )
