import { canonicalName, defaultBrand } from "../wire/Brand.ts"
import { headerTexts, lineTexts } from "./csvTexts.ts"
import { encodingOf } from "./encodingOf.ts"
import { foreignFormat } from "./foreignFormat.ts"
import { eventsHeaderFaults, peopleHeaderFaults, type HeaderSettings } from "./header.ts"
import { delimiters, scanRecord } from "./scanRecord.ts"

/** The columns of a file, and why the file cannot be imported. */
export interface CheckedHeader {
  /** The names as they stand in the file. */
  readonly names: ReadonlyArray<string>
  /** Empty if the file can be imported. */
  readonly faults: ReadonlyArray<string>
}

const headerFaults = { people: peopleHeaderFaults, events: eventsHeaderFaults } as const

/**
 * Reads the header at the beginning of a file as an import would: in UTF-8 or UTF-16, with the first of the delimiters
 * with which it is valid. `bytes` must contain the whole header.
 */
export const checkHeader = (
  bytes: Uint8Array,
  kind: keyof typeof headerFaults,
  settings: HeaderSettings,
): CheckedHeader => {
  const encoding = encodingOf(bytes)
  const format = encoding === "utf-8" ? foreignFormat(bytes) : undefined
  if (format !== undefined) return { names: [], faults: [headerTexts.notCsv({ format })] }
  const text = new TextDecoder(encoding).decode(bytes).replace(/^(?:[ \t]*[\r\n]+)+/, "")
  if (text === "") return { names: [], faults: [headerTexts.emptyFile()] }
  let refused: CheckedHeader | undefined
  for (const delimiter of delimiters) {
    const record = scanRecord(text, 0, delimiter, text.length)
    if (record._tag === "Unreadable") {
      refused ??= { names: [], faults: [lineTexts.unclosedQuote()] }
      continue
    }
    const names = record.cells
    const spelled = names.map((name) => canonicalName(defaultBrand, name))
    const faults = headerFaults[kind](settings, spelled)
    if (faults.length === 0) return { names, faults }
    refused ??= { names, faults }
  }
  return refused ?? { names: [], faults: [headerTexts.emptyFile()] }
}
