import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { CatalogSource } from "@inlethq/core/catalog/ThreadCatalog"
import type { Closed, Copied, RangePaths, ToCopy } from "./Copied.ts"
import type { LakeRow } from "../columns.ts"
import type {
  ReadTable,
  TableToCheck,
  TableToRead,
  TableToWrite,
  WrittenTable,
} from "../iceberg/IcebergTable.ts"
import type { Finished } from "./ParquetFile.ts"

/** What the thread that writes files can be asked for. All paths are local. */
export interface Requests {
  /** Adds rows to a file. The first rows open it. Answers how many bytes of it are on the disk. */
  readonly append: {
    readonly asked: {
      readonly table: LakeTable
      readonly path: string
      readonly rows: ReadonlyArray<LakeRow>
    }
    readonly answer: number
  }
  readonly finish: { readonly asked: { readonly path: string }; readonly answer: Finished }
  /** Copies entries of the log into the files of a range. */
  readonly copy: {
    readonly asked: ToCopy & { readonly source: CatalogSource }
    readonly answer: Copied
  }
  /** Completes the files of a range that was copied. */
  readonly close: { readonly asked: { readonly paths: RangePaths }; readonly answer: Closed }
  /** Removes files that were opened and not finished. */
  readonly abort: { readonly asked: { readonly paths: ReadonlyArray<string> }; readonly answer: null }
  readonly scan: { readonly asked: FileToRead; readonly answer: Scan }
  readonly affected: {
    readonly asked: FileToRead & { readonly gone: ReadonlyArray<number> }
    readonly answer: Affected
  }
  /** Reads the data of rows of activity at some positions. */
  readonly data: {
    readonly asked: { readonly path: string; readonly positions: ReadonlyArray<number> }
    readonly answer: ReadonlyMap<number, string | null>
  }
  readonly rewrite: { readonly asked: Rewrite; readonly answer: Rewritten }
  /** Reads to whom the files say that subjects belong. */
  readonly owners: { readonly asked: OwnersToRead; readonly answer: StoredOwners }
  readonly check: { readonly asked: FileToRead; readonly answer: Checked }
  readonly readTable: { readonly asked: TableToRead; readonly answer: ReadTable }
  /** Answers what is wrong with a table. */
  readonly checkTable: { readonly asked: TableToCheck; readonly answer: ReadonlyArray<string> }
  /** Writes the next metadata of a table of Iceberg into local files. */
  readonly writeTable: { readonly asked: TableToWrite; readonly answer: WrittenTable }
}

export interface OwnersToRead {
  /** All files of these two tables. */
  readonly subjects: ReadonlyArray<string>
  readonly erased: ReadonlyArray<string>
  /** The smallest number of a subject that is read. */
  readonly from: number
}

/** To whom subjects belong according to the files. Item 0 is about the subject `from`, and those that no file names are 0. */
export interface StoredOwners {
  readonly from: number
  /** The position of the row that says it. */
  readonly positions: Float64Array
  readonly owners: Float64Array
  readonly since: Float64Array
  /** One of `ownerStates`. */
  readonly states: Uint8Array
  /** 1 if the views hide what the subject did, because the subject or the owner is in the table `erased`. */
  readonly hidden: Uint8Array
  /** The next number from which there are subjects to read, or null. */
  readonly next: number | null
}

interface FileToRead {
  readonly table: LakeTable
  readonly path: string
}

/** Whom the rows of a file name. */
export interface Scan {
  /** The numbers of all subjects, in any order. */
  readonly subjects: ReadonlyArray<number>
}

/** What a deletion changes in a file. */
export interface Affected {
  /** How many rows are about somebody who is gone. */
  readonly dropped: number
  /** The positions of the rows about others that also name somebody who is gone. */
  readonly named: ReadonlyArray<number>
  /** The positions of the reports on deliveries, which may name an address that belongs to nobody who is known. */
  readonly addressed: ReadonlyArray<number>
  /** Who is gone and has rows in the file, or is named in rows about others. */
  readonly subjects: ReadonlyArray<number>
}

export interface Rewrite {
  readonly table: LakeTable
  /** The files whose rows the new one has, in this order. */
  readonly inputs: ReadonlyArray<string>
  readonly path: string
  /** The subjects whose rows are left out. */
  readonly gone: ReadonlyArray<number>
  /** New rows by position, or null for a row to leave out. */
  readonly rows: ReadonlyArray<readonly [position: number, row: LakeRow | null]>
}

export interface Rewritten extends Finished {
  /** How many rows were left out. */
  readonly dropped: number
}

/** What a file really contains. */
export interface Checked extends Omit<Finished, "bounds"> {
  readonly first: number | null
  readonly last: number | null
  /** The first positions that do not follow the position before them. */
  readonly outOfOrder: ReadonlyArray<number>
}
