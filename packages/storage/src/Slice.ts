/**
 * The most rows that one slice (a bounded part of a read) visits, in an index or without their documents. Visiting one
 * to two thousand rows takes a millisecond. The last query of a slice may exceed this limit by `rowsPerQueryMax`.
 */
export const sliceRowsMax = 4096

/** The most rows that one query reads. */
export const rowsPerQueryMax = 4096

/** The most rows that one query reads from the log without their documents. */
export const lightRowsMax = 1024

/**
 * The cost of a row that is read without its document. Such a row is in the table and not in an index, which costs
 * twice as much.
 */
export const rowsPerLightRow = 2

/**
 * The most documents that one slice (a bounded part of a read) decodes, and their largest total length. A slice always
 * decodes at least one document.
 */
export const sliceDocumentsMax = 128
export const sliceBytesMax = 256 * 1024

/** The remaining budget of one slice of a read. */
export class Slice {
  rows = sliceRowsMax
  documents = sliceDocumentsMax
  bytes = sliceBytesMax

  get isOver(): boolean {
    return this.rows <= 0 || this.documents <= 0 || this.bytes <= 0
  }

  /** Subtracts the cost of one document of this length. */
  decode(bytes: number): void {
    this.documents--
    this.bytes -= bytes
  }
}
