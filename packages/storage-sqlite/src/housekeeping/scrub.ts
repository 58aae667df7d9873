import { fstatSync, fsyncSync, readSync, statSync, writeSync } from "node:fs"
import { integer } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"

/*
 * `secure_delete` overwrites every cell that goes. But when SQLite rebuilds a page whose cells moved to a neighbour, it
 * leaves their old bytes between the page's cell pointers and its first cell, out of reach of SQL, until something else is
 * written there. That gap belongs to nobody in SQLite's file format (§1.6), so it can be cleared in the file itself.
 */

/** Pages that one step looks at; it blocks the thread for some milliseconds. */
const scrubPagesMax = 512

/** From this page on, the number of the next page at the front of an overflow page could look like a kind of page. */
const pageNumberMax = 0x2000000

/** The length of the header of the kinds of page that hold cells, by their first byte. */
const headerBytes = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
])

/**
 * Clears the gaps of some pages from `first` on. Gives the page to go on with, "end" after the last, and "held" where
 * somebody outside keeps the log from being emptied.
 */
export const scrubStep = (database: Database): ((first: number) => number | "end" | "held") => {
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
    if (!database.emptyLog()) return "held"
    const pages = Math.min(Math.floor(fstatSync(descriptor).size / pageBytes), pageNumberMax)
    const cleared = database.write(() => {
      // With the log empty and nobody else writing, nobody moves pages into the file either.
      return statSync(`${file}-wal`).size === 0 ? clear(first) : undefined
    })
    if (cleared === undefined) return "held"
    if (cleared > 0) {
      fsyncSync(descriptor)
      // The pages in memory still have what was cleared.
      dropCache.run()
    }
    return first + scrubPagesMax > pages ? "end" : first + scrubPagesMax
  }
}

/** Where the bytes of a page that hold no cell and no pointer begin and end; empty where it is no page of cells. */
const gapOf = (page: Buffer, header: number): readonly [start: number, end: number] => {
  const length = headerBytes.get(page.readUInt8(header))
  if (length === undefined) return [0, 0]
  const start = header + length + 2 * page.readUInt16BE(header + 3)
  const end = page.readUInt16BE(header + 5) || 0x10000
  return end > page.length ? [0, 0] : [start, end]
}
