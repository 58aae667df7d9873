/**
 * The most rows that one step of housekeeping reads or writes. A step of this size blocks the thread for a few
 * milliseconds.
 */
const sweepRowsMax = 500

/** The most reports on one delivery that one step redacts. */
export const reportsPerStep = 100

/** The cost of removing a deleted subject from one document, in rows. */
export const rowsPerDocument = 10
const documentBytesPerRow = 1024

/** Returns the cost of rewriting a document of this length, in rows. */
export const rowsToRewrite = (documentBytes: number): number =>
  rowsPerDocument + Math.floor(documentBytes / documentBytesPerRow)

/** Returns how many documents a step with this many rows left may rewrite, at least one. */
export const documentsMax = (rowsLeft: number): number => Math.max(Math.floor(rowsLeft / rowsPerDocument), 1)

/** The cost of a part of a step, in rows, and whether that part is finished. */
export interface Progress {
  readonly rows: number
  readonly isDone: boolean
}

/** The remaining budget of one step of housekeeping, and what the step has done. */
export class SweepBudget {
  rowsLeft: number
  /** Entries that were erased or pruned. */
  entries = 0
  /** Whether data of a deleted subject was erased. */
  hasErased = false

  constructor(rowsMax: number = sweepRowsMax) {
    this.rowsLeft = rowsMax
  }

  get isSpent(): boolean {
    return this.rowsLeft <= 0
  }

  /** The most entries that the step should look for, at least one. */
  get room(): number {
    return Math.max(this.rowsLeft, 1)
  }
}
