import type { RecordEvent } from "@inlethq/core/event/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"
import { nameRequired, noData, readData, readName, recordEvent } from "../decoding/event.ts"
import { bareAddress, type Address } from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { omittedColumn, withOmitted } from "../decoding/omitted.ts"
import { eventColumns, eventsColumns, eventsHeaderFaults } from "./header.ts"
import type { ReadHeader, ReadRow } from "./Row.ts"
import { rowTexts } from "../texts/csvTexts.ts"
import { readEventTime } from "../decoding/timestamps.ts"
import { lineMessage } from "./lineMessage.ts"

const { customer: customerColumn, name: nameColumn } = eventColumns
const timestampColumn = "_svc_timestamp"

/**
 * Decodes CSV files of events (track-api §6 rule 2). Three columns are reserved. All other columns become keys of the
 * event's data.
 */
export const eventsHeader: ReadHeader<RecordEvent> = ({ brand, workspace }, given) => {
  const names = eventsColumns(brand, given)
  const faults = eventsHeaderFaults(workspace, names)
  return faults.length > 0 ? Result.fail(faults) : Result.succeed(eventRows(names, workspace))
}

const eventRows = (
  names: ReadonlyArray<string>,
  workspace: Pick<Workspace, "omit">,
): ReadRow<RecordEvent> => {
  const own = [nameColumn, customerColumn, timestampColumn].map((name) => names.indexOf(name))
  const [nameAt = -1, customerAt = -1, timestampAt = -1] = own
  const all = names.flatMap((key, place) =>
    key === "" || own.includes(place)
      ? []
      : [{ key, place, omitted: omittedColumn(workspace, ["properties", "traits"], key) }],
  )
  const keys = all.filter(({ omitted }) => omitted === null)
  const omittedIn = (cells: ReadonlyArray<string>) =>
    all.flatMap(({ omitted, place }) => (omitted === null || (cells[place] ?? "") === "" ? [] : [omitted]))
  const oneKind = new SingleKindReader()

  return (receipt, { cells, deduplicationKey }) => {
    const faults: Array<Fault> = []
    const name = eventName(receipt, cells[nameAt] ?? "", faults)
    const address = oneKind.read(receipt, cells[customerAt] ?? "", faults)
    const data = take(readData(receipt.workspace.limits, dataOf(keys, cells), "data"), noData, faults)
    if (address === null || faults.length > 0) return Result.fail(lineMessage(faults))
    const time = cells[timestampAt] ?? ""
    const at = readEventTime(receipt, { field: timestampColumn, value: time }, faults)
    const command = recordEvent(receipt, address, {
      type: "event",
      name,
      data,
      at,
      deduplicationKey,
      faults: faults.map((fault) => ({ ...fault, value: time })),
    })
    return Result.succeed(withOmitted(command, omittedIn(cells)))
  }
}

/**
 * Reads the identifiers in a file of events. All rows must use the same kind of identifier as the first row (track-api
 * §6 rule 2).
 */
class SingleKindReader {
  private kind: Address["kind"] | undefined

  read(receipt: Receipt, text: string, faults: Array<Fault>): Address | null {
    const address = take(bareAddress(receipt, text, customerColumn), null, faults)
    if (address === null) return null
    const { kind } = address
    this.kind ??= kind
    if (kind === this.kind) return address
    faults.push(rowTexts.otherKind(customerColumn, { before: this.kind, kind }))
    return null
  }
}

const take = <A, B>(read: Result.Result<A, Fault>, otherwise: B, faults: Array<Fault>): A | B => {
  if (Result.isSuccess(read)) return read.success
  faults.push(read.failure)
  return otherwise
}

const eventName = ({ workspace: { limits } }: Receipt, text: string, faults: Array<Fault>): string => {
  const name = take(readName(limits, text, nameColumn), "", faults)
  if (name === null) faults.push(nameRequired(nameColumn))
  return name ?? ""
}

interface Key {
  readonly key: string
  readonly place: number
}

/** Column names become keys unchanged. A dot in a name does not create a nested object. */
const dataOf = (keys: ReadonlyArray<Key>, cells: ReadonlyArray<string>): JsonObject => {
  const pairs: Array<readonly [string, string]> = []
  for (const { key, place } of keys) {
    const cell = cells[place] ?? ""
    if (cell !== "") pairs.push([key, cell])
  }
  return Object.fromEntries(pairs)
}
