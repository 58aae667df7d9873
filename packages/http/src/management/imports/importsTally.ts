import type { ImportProgress, ImportSummary } from "@inlethq/contract/transfer/Imports"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The error for an event of an unknown person. Imported events do not create people (track-api §6 rule 2). */
export const noSuchPerson = problemTexts.noPersonOfRow()

type Counts = Omit<ImportProgress, "bytes">

const nothing: Counts = { rows: 0, imported: 0, skipped: 0, failed: 0 }

/** The line of an error, and its cells that identify people. */
export interface ErrorPlace {
  readonly line: number
  readonly named?: ReadonlyArray<string>
}

/** An error, and the identifiers in its line. */
type NamingError = ImportSummary["errors"][number] & Required<ErrorPlace>

/** Counts the rows of a file by result, and collects the errors. */
export class Tally {
  private rows: number
  private imported: number
  private skipped: number
  private failed: number
  private errors: Array<NamingError> = []
  private errorsLeft: number
  private readonly brand: WrittenBrand

  /** `counts` are those of the part of the file that was read before. */
  constructor(errorsMax: number, brand: WrittenBrand, counts: Counts = nothing) {
    this.errorsLeft = errorsMax
    this.brand = brand
    this.rows = counts.rows
    this.imported = counts.imported
    this.skipped = counts.skipped
    this.failed = counts.failed
  }

  skip(): void {
    this.rows++
    this.skipped++
  }

  fail(place: ErrorPlace, message: string): void {
    this.rows++
    this.failed++
    this.note(place, message)
  }

  /** Counts a row by the outcome of its operation. */
  settle(place: ErrorPlace, { outcome, reasons }: ActivityEntry): void {
    const reason = sentenceOf(this.brand, reasons)
    switch (outcome) {
      case "applied":
      case "created":
        return this.take()
      case "partial":
        this.note(place, `imported in part: ${reason ?? outcome}`)
        return this.take()
      case "duplicate":
      case "ignored":
        return this.skip()
      case "dropped":
      case "rejected":
        return this.fail(place, reason ?? outcome)
      case "pending":
        return this.fail(place, noSuchPerson)
    }
    outcome satisfies never
  }

  /** Adds an error without counting a row. Errors beyond the maximum are not stored. */
  note({ line, named = [] }: ErrorPlace, message: string): void {
    if (this.errorsLeft <= 0) return
    this.errorsLeft--
    this.errors.push({ line, message, named })
  }

  /** Returns the errors that were found since the last call. */
  takeErrors(): ReadonlyArray<NamingError> {
    const taken = this.errors
    this.errors = []
    return taken
  }

  progress(bytes: number): ImportProgress {
    return { ...this.counts, bytes }
  }

  get summary(): ImportSummary {
    return { ...this.counts, errors: this.errors.map(({ line, message }) => ({ line, message })) }
  }

  get counts(): Counts {
    return { rows: this.rows, imported: this.imported, skipped: this.skipped, failed: this.failed }
  }

  private take(): void {
    this.rows++
    this.imported++
  }
}
