import type { ImportProgress, ImportSummary } from "@inlet/api/management/Imports"
import { sentenceOf } from "@inlet/api/texts/sentences"
import type { WrittenBrand } from "@inlet/api/texts/WrittenBrand"
import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The error for an event of an unknown person. Imported events do not create people (track-api §6 rule 2). */
export const noSuchPerson = problemTexts.noPersonOfRow()

/** Counts the rows of a file by result, and collects the errors. */
export class Tally {
  private rows = 0
  private imported = 0
  private skipped = 0
  private failed = 0
  private readonly errors: Array<ImportSummary["errors"][number]> = []
  private readonly errorsMax: number
  private readonly brand: WrittenBrand

  constructor(errorsMax: number, brand: WrittenBrand) {
    this.errorsMax = errorsMax
    this.brand = brand
  }

  skip(): void {
    this.rows++
    this.skipped++
  }

  fail(line: number, message: string): void {
    this.rows++
    this.failed++
    this.note(line, message)
  }

  /** Counts a row by the outcome of its operation. */
  settle(line: number, { outcome, reasons }: ActivityEntry): void {
    const reason = sentenceOf(this.brand, reasons)
    switch (outcome) {
      case "applied":
      case "created":
        return this.take()
      case "partial":
        this.note(line, `imported in part: ${reason ?? outcome}`)
        return this.take()
      case "duplicate":
      case "ignored":
        return this.skip()
      case "dropped":
      case "rejected":
        return this.fail(line, reason ?? outcome)
      case "pending":
        return this.fail(line, noSuchPerson)
    }
    outcome satisfies never
  }

  /** Adds an error without counting a row. Errors beyond the maximum are not stored. */
  note(line: number, message: string): void {
    if (this.errors.length < this.errorsMax) this.errors.push({ line, message })
  }

  progress(bytes: number): ImportProgress {
    return { ...this.counts, bytes }
  }

  get summary(): ImportSummary {
    return { ...this.counts, errors: this.errors }
  }

  private take(): void {
    this.rows++
    this.imported++
  }

  private get counts() {
    return { rows: this.rows, imported: this.imported, skipped: this.skipped, failed: this.failed }
  }
}
