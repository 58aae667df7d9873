/**
 * The largest number of rows that one step of housekeeping reads or writes. A step of this size blocks the thread for a
 * few milliseconds.
 */
const sweepRowsMax = 500

/** The largest number of reports on one delivery that one step redacts. */
export const reportsPerStep = 100

/**
 * A step that has looked for entries erases at least this many rows, or as many as looking cost if that is fewer, even if
 * looking took its whole budget. Otherwise each step would look again to erase one row.
 */
export const rowsAfterLook = 100

/**
 * The cost of removing the references to a deleted person or object from one document. The unit is a row in the budget
 * of a housekeeping step.
 */
export const rowsPerDocument = 10
const documentBytesPerRow = 1024

/** Returns the cost of rewriting a document of this length. The unit is a row in the budget of a housekeeping step. */
export const rowsToRewrite = (documentBytes: number): number =>
  rowsPerDocument + Math.floor(documentBytes / documentBytesPerRow)

/**
 * Returns the number of documents that a step may rewrite if its budget has this many rows left. Returns at least one.
 */
export const documentsMax = (rowsLeft: number): number => Math.max(Math.floor(rowsLeft / rowsPerDocument), 1)

/**
 * What one task of a housekeeping step has done: the number of rows that the task used from the step's budget, and
 * whether the task is finished.
 */
export interface Progress {
  readonly rows: number
  readonly isDone: boolean
}

/** The remaining budget of one step of housekeeping, and what the step has done. */
export class SweepBudget {
  rowsLeft: number
  /** The number of entries that were erased or pruned. */
  entries = 0
  /** Whether the step has erased data of a deleted person or object. */
  hasErased = false

  constructor(rowsMax: number = sweepRowsMax) {
    this.rowsLeft = rowsMax
  }

  get isSpent(): boolean {
    return this.rowsLeft <= 0
  }

  /** The largest number of entries that the step should still read. The number is at least one. */
  get room(): number {
    return Math.max(this.rowsLeft, 1)
  }
}
