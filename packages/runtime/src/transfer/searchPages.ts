import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs"
import { placesMax, type Form, type FoundPlace } from "./searchForms.ts"

/*
 * SQLite keeps the end of a long row on other pages of the file. A row names the first of them after the bytes that it keeps
 * itself, and each of them names the next one in its first four bytes (https://www.sqlite.org/fileformat2.html). So a
 * text may be divided between two places of a file, and the first part says where the second is.
 */

const databaseHeader = Buffer.from("SQLite format 3\0")
const databaseHeaderBytes = 100
const logHeaderBytes = 32
const frameHeaderBytes = 24
const pointerBytes = 4

/** The pages that are read at once. */
const pagesPerRead = 256

/** An open file with pages of a database: the database itself, or its write-ahead log. */
interface PageFile {
  readonly name: string
  readonly descriptor: number
  /** The offsets of its pages. */
  readonly first: number
  readonly step: number
  readonly count: number
}

interface PagePlace {
  readonly descriptor: number
  readonly offset: number
}

/** Finds texts that are divided between two pages of a SQLite database, and of its write-ahead log. Ignores other files. */
export const searchPages = (path: string, forms: ReadonlyArray<Form>, places: Array<FoundPlace>): void => {
  const descriptor = openSync(path, "r")
  const log = `${path}-wal`
  const logDescriptor = existsSync(log) ? openSync(log, "r") : undefined
  try {
    const header = bytesAt(descriptor, 0, databaseHeaderBytes)
    if (
      header.length < databaseHeaderBytes ||
      !header.subarray(0, databaseHeader.length).equals(databaseHeader)
    )
      return
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    const usable = pageBytes - header.readUInt8(20)
    const files = [pagesOf(path, descriptor, 0, pageBytes, pageBytes)]
    if (logDescriptor !== undefined) {
      files.push(
        pagesOf(
          log,
          logDescriptor,
          logHeaderBytes + frameHeaderBytes,
          frameHeaderBytes + pageBytes,
          pageBytes,
        ),
      )
    }
    new PageSearch(files, pageBytes, usable, forms, places).run()
  } finally {
    closeSync(descriptor)
    if (logDescriptor !== undefined) closeSync(logDescriptor)
  }
}

const pagesOf = (
  name: string,
  descriptor: number,
  first: number,
  step: number,
  pageBytes: number,
): PageFile => {
  const { size } = fstatSync(descriptor)
  return {
    name,
    descriptor,
    first,
    step,
    count: Math.max(0, Math.floor((size - first - pageBytes) / step) + 1),
  }
}

class PageSearch {
  private readonly files: ReadonlyArray<PageFile>
  private readonly pageBytes: number
  private readonly usable: number
  private readonly forms: ReadonlyArray<Form>
  private readonly places: Array<FoundPlace>
  /** Where the write-ahead log has a page, by its number. */
  private readonly logged = new Map<number, Array<PagePlace>>()

  constructor(
    files: ReadonlyArray<PageFile>,
    pageBytes: number,
    usable: number,
    forms: ReadonlyArray<Form>,
    places: Array<FoundPlace>,
  ) {
    this.files = files
    this.pageBytes = pageBytes
    this.usable = usable
    this.forms = forms
    this.places = places
  }

  run(): void {
    const [, log] = this.files
    for (let frame = 0; frame < (log?.count ?? 0); frame++) {
      if (log === undefined) break
      const offset = log.first + frame * log.step
      const number = bytesAt(log.descriptor, offset - frameHeaderBytes, pointerBytes).readUInt32BE(0)
      const known = this.logged.get(number)
      const place = { descriptor: log.descriptor, offset }
      if (known === undefined) this.logged.set(number, [place])
      else known.push(place)
    }
    for (const file of this.files) this.searchFile(file)
  }

  private searchFile(file: PageFile): void {
    for (let start = 0; start < file.count; start += pagesPerRead) {
      const count = Math.min(pagesPerRead, file.count - start)
      const offset = file.first + start * file.step
      const read = bytesAt(file.descriptor, offset, (count - 1) * file.step + this.pageBytes)
      for (let page = 0; page < count; page++) {
        const at = page * file.step
        this.searchPage(file, offset + at, read.subarray(at, at + this.pageBytes))
      }
    }
  }

  private searchPage(file: PageFile, offset: number, page: Buffer): void {
    for (const { bytes, name } of this.forms) {
      const [first = 0] = bytes
      for (let at = page.indexOf(first); at >= 0; at = page.indexOf(first, at + 1)) {
        if (this.places.length >= placesMax) return
        if (this.isContinued(page, at, bytes)) {
          this.places.push({
            file: file.name,
            offset: offset + at,
            form: `${name}, divided between two pages`,
          })
        }
      }
    }
  }

  /** Whether a text begins at a place of a page and ends on the page that follows there. */
  private isContinued(page: Buffer, at: number, text: Buffer): boolean {
    for (let length = 1; length < text.length; length++) {
      const end = at + length
      if (end > this.usable || page[end - 1] !== text[length - 1]) return false
      const rest = text.subarray(length)
      // The last bytes of an overflow page are followed by the page that its first bytes name.
      if (end === this.usable && this.begins(page.readUInt32BE(0), rest)) return true
      if (end + pointerBytes <= this.usable && this.begins(page.readUInt32BE(end), rest)) return true
    }
    return false
  }

  /** Whether the contents of an overflow page begin with these bytes, in the database or in its write-ahead log. */
  private begins(number: number, bytes: Buffer): boolean {
    const [database] = this.files
    if (database === undefined || number < 2) return false
    const logged = this.logged.get(number) ?? []
    const offset = (number - 1) * this.pageBytes
    const places =
      number <= database.count ? [...logged, { descriptor: database.descriptor, offset }] : logged
    return places.some((place) =>
      bytesAt(place.descriptor, place.offset + pointerBytes, bytes.length).equals(bytes),
    )
  }
}

const bytesAt = (descriptor: number, offset: number, length: number): Buffer => {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(descriptor, buffer, filled, length - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return buffer.subarray(0, filled)
}
