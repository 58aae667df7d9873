import { fstatSync, fsyncSync, readSync, statSync, writeSync } from "node:fs"
import { integer } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"

/*
 * `secure_delete` overwrites deleted cells. But when SQLite moves cells to a neighbouring page, it rebuilds the page
 * and leaves the old bytes of these cells in the gap between the page's cell pointers and its first cell. SQL cannot
 * reach these bytes, and they stay until another cell is written over them. In SQLite's file format (§1.6) the content
 * of the gap has no meaning, so the gap can be zeroed in the file (decision 6).
 */

/** The most pages that one step reads. A step of this size blocks the thread for a few milliseconds. */
const scrubPagesMax = 512

/**
 * Pages from this number on are not scrubbed. An overflow page begins with a four-byte page number. If that number is
 * at least this large, its first byte could be mistaken for a page type. With pages of 2 KiB, the limit is reached at
 * 64 GiB.
 */
const pageNumberMax = 0x2000000

/** The header length of the page types that hold cells, by the first byte of the page. */
const headerBytes = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
])

/**
 * Returns a function that zeroes the gaps of `scrubPagesMax` pages, starting at the page `first`. The function returns
 * the next page to scrub, "end" after the last page, or "busy" if a reader in another process keeps the write-ahead log
 * from being emptied.
 */
export const scrubPages = (database: Database): ((first: number) => number | "end" | "busy") => {
  const { descriptor, file } = database
  const pageBytes = integer(database.prepare("PRAGMA page_size").get()?.["page_size"])
  const dropCache = database.prepare("PRAGMA shrink_memory")
  const buffer = Buffer.alloc(scrubPagesMax * pageBytes)
  const zeros = Buffer.alloc(pageBytes)

  const clear = (first: number): number => {
    const bytes = readSync(descriptor, buffer, 0, buffer.length, (first - 1) * pageBytes)
    let cleared = 0
    for (let at = 0; at + pageBytes <= bytes; at += pageBytes) {
      const number = first + at / pageBytes
      const page = buffer.subarray(at, at + pageBytes)
      const [start, end] = gapOf(page, number === 1 ? 100 : 0)
      if (start >= end || page.compare(zeros, 0, end - start, start, end) === 0) continue
      writeSync(descriptor, zeros, 0, end - start, (number - 1) * pageBytes + start)
      cleared++
    }
    return cleared
  }

  return (first) => {
    if (!database.emptyLog()) return "busy"
    const pages = Math.min(Math.floor(fstatSync(descriptor).size / pageBytes), pageNumberMax)
    const cleared = database.write(() => {
      // While the log is empty and this transaction holds the write lock, no checkpoint can write to the file.
      return statSync(`${file}-wal`).size === 0 ? clear(first) : undefined
    })
    if (cleared === undefined) return "busy"
    if (cleared > 0) {
      fsyncSync(descriptor)
      // SQLite's page cache still contains the bytes that were zeroed in the file, and could write them back.
      dropCache.run()
    }
    return first + scrubPagesMax > pages ? "end" : first + scrubPagesMax
  }
}

/** Returns the start and the end of a page's gap. The gap is empty if the page holds no cells. */
const gapOf = (page: Buffer, header: number): readonly [start: number, end: number] => {
  const length = headerBytes.get(page.readUInt8(header))
  if (length === undefined) return [0, 0]
  const start = header + length + 2 * page.readUInt16BE(header + 3)
  const end = page.readUInt16BE(header + 5) || 0x10000
  return end > page.length ? [0, 0] : [start, end]
}
