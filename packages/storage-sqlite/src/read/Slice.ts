/**
 * Rows that one slice of a read may visit, in an index or without their documents. Visiting one to two thousand takes a
 * millisecond. The last query of a slice may exceed this by `rowsPerQueryMax`.
 */
export const sliceRowsMax = 4096

/** Rows that one query reads. */
export const rowsPerQueryMax = 4096

/** Rows that one query reads from the log without their documents. */
export const lightRowsMax = 1024

/** The cost of such a row. It is in the table, not in an index. */
export const rowsPerLightRow = 2

/** Documents that one slice may decode, and their length. A slice always decodes at least one. */
export const sliceDocumentsMax = 128
const sliceBytesMax = 256 * 1024

/** The remaining budget of one slice of a read. */
export class Slice {
  rows = sliceRowsMax
  documents = sliceDocumentsMax
  bytes = sliceBytesMax

  get isOver(): boolean {
    return this.rows <= 0 || this.documents <= 0 || this.bytes <= 0
  }

  /** Subtracts a document of this length. */
  decode(bytes: number): void {
    this.documents--
    this.bytes -= bytes
  }
}
