export type ImportKind = "people" | "events"

/** A column of a file, and what the import does with it. */
export interface CsvColumn {
  readonly name: string
  readonly meaning: string
}

/** The number of bytes at the beginning of a file that are searched for the header. */
const headerBytesMax = 64 * 1024

const peopleColumns: ReadonlyMap<string, string> = new Map([
  ["id", "identifies the person"],
  ["email", "identifies the person"],
  ["svc_id", "identifies the person"],
  ["cio_id", "identifies the person"],
  ["created_at", "time of creation"],
  ["_timestamp", "time of the update"],
  ["unsubscribed", "subscription state"],
])

const eventColumns: ReadonlyMap<string, string> = new Map([
  ["_svc_name", "name of the event"],
  ["_cio_name", "name of the event"],
  ["_svc_customer_id", "identifies the person"],
  ["_cio_customer_id", "identifies the person"],
  ["_svc_timestamp", "time of the event"],
  ["_cio_timestamp", "time of the event"],
])

const known = { people: peopleColumns, events: eventColumns } as const
const others = { people: "attribute", events: "data of the event" } as const

/** Reads the columns of a file. */
export const readColumns = async (file: File, kind: ImportKind): Promise<ReadonlyArray<CsvColumn>> => {
  const text = await file.slice(0, headerBytesMax).text()
  return headerCells(text.replace(/^\uFEFF/, "")).map((name) => ({
    name,
    meaning: known[kind].get(name) ?? others[kind],
  }))
}

/** Returns the cells of the first line. Quotes are removed, and a doubled quote becomes a single quote. */
export const headerCells = (text: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  for (;;) {
    const match = cell.exec(text)
    if (match === null) return cells
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? "").trim())
    if (match[3] !== ",") return cells.length === 1 && cells[0] === "" ? [] : cells
  }
}
