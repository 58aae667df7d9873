/**
 * Rows that one slice of a read looks at before it ends, in an index or without their documents: one to two thousand of them
 * take a millisecond. The last look of a slice may go beyond it, by `rowsPerLookMax`.
 */
export const sliceRowsMax = 4096

/** Rows that one look reads. */
export const rowsPerLookMax = 4096

/** Rows without their documents that are read at a time, and what each of them counts. */
export const lightRowsMax = 1024
export const rowsPerLightRow = 2

/** Documents that one slice decodes, and their bytes; one in any case. */
export const sliceDocumentsMax = 128
const sliceBytesMax = 256 * 1024

/** What one slice of a read may still look at. */
export class Slice {
  rows = sliceRowsMax
  documents = sliceDocumentsMax
  bytes = sliceBytesMax

  get isOver(): boolean {
    return this.rows <= 0 || this.documents <= 0 || this.bytes <= 0
  }

  /** Counts a document that is decoded. */
  decode(bytes: number): void {
    this.documents--
    this.bytes -= bytes
  }
}
