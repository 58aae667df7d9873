import { exceedsBytes } from "@inlethq/core/values/Json"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { trimInvisible } from "@inlethq/core/values/invisible"
import { canonicalName, type Brand } from "../decoding/Brand.ts"
import { headerTexts } from "../texts/csvTexts.ts"

/** The settings of a workspace that decide which headers are valid. */
export interface HeaderSettings {
  readonly identifiers: Workspace["identifiers"]
  readonly limits: Pick<Limits, "attributeNameBytesMax">
}

type HeaderFaults = (settings: HeaderSettings, names: ReadonlyArray<string>) => ReadonlyArray<string>

/** Returns the faults of the columns of a file of people. Their names are spelled as `packages/core` does. */
export const peopleHeaderFaults: HeaderFaults = ({ identifiers, limits }, names) => {
  const kinds = [...(identifiers.id ? ["id"] : []), ...(identifiers.email ? ["email"] : [])]
  const isNamed = [...kinds, "svc_id"].some((kind) => names.includes(kind))
  return [...namesFaults(limits, names), ...(isNamed ? [] : [missingFault(kinds.join(" or "), names)])]
}

/** The columns of a file of events that name the event and the person. */
export const eventColumns = { name: "_svc_name", customer: "_svc_customer_id" } as const

/** Returns the faults of the columns of a file of events. Their names are spelled as `packages/core` does. */
export const eventsHeaderFaults: HeaderFaults = ({ limits }, names) => {
  const missing = Object.values(eventColumns).filter((name) => !names.includes(name))
  return [
    ...namesFaults(limits, names),
    ...(missing.length > 0 ? [missingFault(missing.join(" and "), names)] : []),
  ]
}

/** Other spellings of the two columns that name a person, in lower case. */
const spelledOtherwise: ReadonlyMap<string, string> = new Map([
  ["id", "id"],
  ["email", "email"],
  ["e-mail", "email"],
])

/**
 * Returns the columns of a header of people in the spelling of `packages/core`. A column without a name is "". `Email`,
 * `E-mail`, `ID` and `Id` are `email` and `id`, unless the file has such a column, or several that could be it.
 */
export const peopleColumns = (brand: Brand, cells: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = cells.map((cell) => canonicalName(brand, trimInvisible(cell)))
  const known = names.map((name) => spelledOtherwise.get(name.toLowerCase()))
  return names.map((name, i) => {
    const kind = known[i]
    if (kind === undefined || names.includes(kind)) return name
    return known.indexOf(kind) === known.lastIndexOf(kind) ? kind : name
  })
}

/** Returns the columns of a header of events in the spelling of `packages/core`. A column without a name is "". */
export const eventsColumns = (brand: Brand, cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.map((cell) => {
    const name = trimInvisible(cell)
    return brand.names.get(name) ?? name
  })

/** The most rows below the first that are searched for a header if the first is none. */
const titleRowsMax = 10

/**
 * Returns the faults of a file that does not begin with its header. If a row below looks like the header, the one fault
 * shows it. `faultsOf` checks a row as a header.
 */
export const withoutTitle = (
  faults: ReadonlyArray<string>,
  below: ReadonlyArray<{ readonly line: number; readonly cells: ReadonlyArray<string> }>,
  faultsOf: (cells: ReadonlyArray<string>) => ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const header = below.slice(0, titleRowsMax).find(({ cells }) => faultsOf(cells).length === 0)
  if (header === undefined) return faults
  const names = header.cells.map(trimInvisible).filter((name) => name !== "")
  return [headerTexts.titleRow({ line: header.line, header: listOf(names) })]
}

/** Checks column names by the rules that all kinds of files share, and returns the error messages. */
const namesFaults = (
  { attributeNameBytesMax }: HeaderSettings["limits"],
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.flatMap((name, i) => {
    const column = i + 1
    const first = seen.get(name)
    if (name === "") return []
    seen.set(name, first ?? column)
    if (first !== undefined) return [headerTexts.repeatedColumn({ column, first })]
    if (!exceedsBytes(name, attributeNameBytesMax)) return []
    return [headerTexts.longColumn({ column, bytes: attributeNameBytesMax })]
  })
}

/** The largest number of columns, and of characters of a column, that an error about a missing column lists. */
const listedMax = 10
const listedLengthMax = 40

/** Returns the fault of a header that lacks columns. It lists the columns that the header has. */
const missingFault = (missing: string, names: ReadonlyArray<string>): string => {
  return headerTexts.missingColumn({ names: missing, found: listOf(names.filter((name) => name !== "")) })
}

const listOf = (names: ReadonlyArray<string>): string => {
  const listed = names.slice(0, listedMax).map((name) => `\`${shortened(name)}\``)
  const more = names.length > listedMax ? [`${names.length - listedMax} more`] : []
  return [...listed, ...more].join(", ")
}

const shortened = (name: string): string =>
  name.length > listedLengthMax ? `${name.slice(0, listedLengthMax)}…` : name
