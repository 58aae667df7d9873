import { exceedsBytes } from "@inlet/core/values/Json"
import type { Limits } from "@inlet/core/workspace/Limits"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { headerTexts } from "./csvTexts.ts"

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

/** Checks column names by the rules that all kinds of files share, and returns the error messages. */
const namesFaults = (
  { attributeNameBytesMax }: HeaderSettings["limits"],
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.flatMap((name, i) => {
    const column = i + 1
    const first = seen.get(name)
    seen.set(name, first ?? column)
    if (name === "") return [headerTexts.unnamedColumn({ column })]
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
  const listed = names.slice(0, listedMax).map((name) => `\`${shortened(name)}\``)
  const more = names.length > listedMax ? [`${names.length - listedMax} more`] : []
  return headerTexts.missingColumn({ names: missing, found: [...listed, ...more].join(", ") })
}

const shortened = (name: string): string =>
  name.length > listedLengthMax ? `${name.slice(0, listedLengthMax)}…` : name
