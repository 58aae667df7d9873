import { fstatSync, fsyncSync, readSync, statSync, writeSync } from "node:fs"
import { integer } from "@inlethq/storage/columns/columns"
import type { Database } from "../engine/Database.ts"

/*
 * The option `secure_delete` overwrites deleted cells. But when SQLite moves cells to a neighbouring page, it leaves
 * their old bytes in the gap between the page's cell pointers and its first cell. SQL statements cannot reach these
 * bytes, which stay until another cell is written over them. In SQLite's file format (§1.6) the content of the gap has
 * no meaning. Therefore the gap can be overwritten with zeros in the file (decision 6).
 */

/** The largest number of pages that one step reads. A step of this size blocks the thread for a few milliseconds. */
const scrubPagesMax = 512

/** The largest number of pages that one step overwrites, which takes longer than reading them. */
const clearedPagesMax = 128

/**
 * Pages with this number or a greater number are not scrubbed. An overflow page begins with a four-byte page number. If
 * that number is at least this large, its first byte could be mistaken for a page type. With pages of 2 KiB, the limit
 * is reached at 64 GiB.
 */
const pageNumberMax = 0x2000000

/**
 * The length of the page header in bytes, for each type of page that contains cells. The first byte of a page is its
 * type.
 */
const headerBytes = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
])

/** What a step of scrubbing has done. */
export interface Scrubbed {
  /** The number of pages whose gaps had bytes that were overwritten. */
  readonly cleared: number
  /** The number of pages that were read. */
  readonly searched: number
  /** The next page to scrub, or null after the last page. */
  readonly next: number | null
}

/**
 * Returns a function that overwrites the gaps of up to `scrubPagesMax` pages with zeros, beginning with the page
 * `first`. The function returns "busy" if a reader in another process prevents emptying the write-ahead log.
 */
export const scrubPages = (database: Database): ((first: number) => Scrubbed | "busy") => {
  const { descriptor, file } = database
  const pageBytes = integer(database.prepare("PRAGMA page_size").get()?.["page_size"])
  const dropCache = database.prepare("PRAGMA shrink_memory")
  const buffer = Buffer.alloc(scrubPagesMax * pageBytes)
  const zeros = Buffer.alloc(pageBytes)

  /** Returns how many pages were overwritten, and the first page that was not looked at. */
  const clear = (first: number): { readonly cleared: number; readonly end: number } => {
    const bytes = readSync(descriptor, buffer, 0, buffer.length, (first - 1) * pageBytes)
    let cleared = 0
    let at = 0
    for (; at + pageBytes <= bytes && cleared < clearedPagesMax; at += pageBytes) {
      const number = first + at / pageBytes
      const page = buffer.subarray(at, at + pageBytes)
      const [start, end] = gapOf(page, number === 1 ? 100 : 0)
      if (start >= end || page.compare(zeros, 0, end - start, start, end) === 0) continue
      writeSync(descriptor, zeros, 0, end - start, (number - 1) * pageBytes + start)
      cleared++
    }
    return { cleared, end: first + at / pageBytes }
  }

  return (first) => {
    if (!database.emptyLog()) return "busy"
    const pages = Math.min(Math.floor(fstatSync(descriptor).size / pageBytes), pageNumberMax)
    const scrubbed = database.write(() => {
      // The write-ahead log is empty and this transaction holds the write lock, so no checkpoint can write to the file.
      return statSync(`${file}-wal`).size === 0 ? clear(first) : undefined
    })
    if (scrubbed === undefined) return "busy"
    const { cleared, end } = scrubbed
    if (cleared > 0) {
      fsyncSync(descriptor)
      // SQLite's page cache still contains the bytes that were overwritten in the file, and could write them back.
      dropCache.run()
    }
    return { cleared, searched: Math.min(end - 1, pages) - first + 1, next: end > pages ? null : end }
  }
}

/**
 * Returns the start and the end of a page's gap (the unused bytes before its first cell). The start equals the end if
 * the page has no cells.
 */
const gapOf = (page: Buffer, header: number): readonly [start: number, end: number] => {
  const length = headerBytes.get(page.readUInt8(header))
  if (length === undefined) return [0, 0]
  const start = header + length + 2 * page.readUInt16BE(header + 3)
  const end = page.readUInt16BE(header + 5) || 0x10000
  return end > page.length ? [0, 0] : [start, end]
}
