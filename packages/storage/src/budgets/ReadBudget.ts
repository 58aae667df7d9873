/**
 * The largest number of rows that one slice reads. Rows that are read only from an index, or of which the document is
 * not read, also count. Reading one to two thousand rows takes a millisecond. The last query of a slice may exceed this
 * limit by `rowsPerQueryMax`.
 */
export const sliceRowsMax = 4096

/** The largest number of rows that one query reads. */
export const rowsPerQueryMax = 4096

/** The largest number of rows that a query reads from the log if it does not read their documents. */
export const lightRowsMax = 1024

/**
 * Reading one row of the log from its table, but not the row's document, takes as long as reading this many entries of
 * an index.
 */
export const rowsPerLightRow = 2

/**
 * The largest number of documents that one slice decodes. `sliceBytesMax` limits the total length of these documents. A
 * slice always decodes at least one document.
 */
export const sliceDocumentsMax = 128
export const sliceBytesMax = 256 * 1024

/** What one slice of a read may still cost: rows, documents and their bytes. */
export class ReadBudget {
  rows = sliceRowsMax
  documents = sliceDocumentsMax
  bytes = sliceBytesMax

  get isOver(): boolean {
    return this.rows <= 0 || this.documents <= 0 || this.bytes <= 0
  }

  /** Counts a document of this many bytes against the limits of the slice. */
  decode(bytes: number): void {
    this.documents--
    this.bytes -= bytes
  }
}
