import type { IdentifyPerson } from "@inlethq/core/person/commands"
import type { ReadOtherwise } from "@inlethq/core/log/KeptValue"
import { isFlagText, isTrue } from "@inlethq/core/values/flags"
import { preferencesName } from "@inlethq/core/state/preferenceBounds"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"
import { assignmentFault } from "../decoding/assignments.ts"
import { emptyReading, trackV1, type Reading } from "../decoding/attributes.ts"
import { addressBy, addressBySvcId, type Address } from "../decoding/identifiers.ts"
import { identify } from "../decoding/identify.ts"
import { withLeftOut } from "../decoding/leftOut.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { omittedColumn, withOmitted } from "../decoding/omitted.ts"
import { peopleColumns, peopleHeaderFaults } from "./header.ts"
import { rowOf, type ReadHeader } from "./Row.ts"
import { lineTexts, rowTexts } from "../texts/csvTexts.ts"
import { lineMessage } from "./lineMessage.ts"

/**
 * Decodes CSV files of people. Each column is read like the key with the same name in a Track v1 identify, but every
 * cell is text (contract §13).
 */
export const peopleHeader: ReadHeader<IdentifyPerson> = (receipt, given) => {
  const names = peopleColumns(receipt.brand, given)
  const faults = peopleHeaderFaults(receipt.workspace, names)
  if (faults.length > 0) return Result.fail(faults)
  const columns = names.map((name) => columnOf(name, receipt.workspace))
  return Result.succeed((receipt, { cells, deduplicationKey }) => {
    const reading = readCells(receipt, columns, cells)
    if (reading.violations.length > 0) return Result.fail(lineMessage(reading.violations))
    const address = takeAddress(receipt, reading)
    if (address === undefined) {
      return Result.fail(reading.faults.length > 0 ? lineMessage(reading.faults) : lineTexts.noIdentifier())
    }
    const command = identify(receipt, trackV1, address, reading, { at: reading.at, deduplicationKey })
    const told = command.faults.length === 0 ? command : withLeftOut(command, rowOf(names, cells))
    return Result.succeed(withOmitted(told, omittedIn(columns, cells)))
  })
}

interface Column {
  readonly name: string
  /** Reads the cells of a reserved column. Undefined for all other columns. */
  readonly reader: ReturnType<(typeof trackV1.reserved)["get"]>
  /**
   * True if the column is a subscription topic. CSV has no booleans, so the cells of such a column are converted to
   * booleans.
   */
  readonly isTopic: boolean
  /** The path of the setting `omit` by which the column is left out. */
  readonly omitted: string | null
}

const columnOf = (name: string, workspace: Pick<Workspace, "omit">): Column => ({
  name,
  reader: trackV1.reserved.get(name),
  isTopic: name.startsWith(`${preferencesName}.topics.`),
  omitted: omittedColumn(workspace, ["traits"], name),
})

const omittedIn = (columns: ReadonlyArray<Column>, cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  columns.flatMap(({ omitted }, i) => (omitted === null || (cells[i] ?? "") === "" ? [] : [omitted]))

const readCells = (
  receipt: Receipt,
  columns: ReadonlyArray<Column>,
  cells: ReadonlyArray<string>,
): Reading => {
  const { limits } = receipt.workspace
  const reading = emptyReading()
  const otherwise: Array<ReadOtherwise> = []
  let attributes = 0
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? ""
    const { isTopic, name, omitted, reader } = column
    if (cell === "" || name === "" || omitted !== null) continue
    if (reader !== undefined) reader(reading, receipt, trackV1, { key: name, value: cell })
    else if (isTopic) {
      const kept = isTrue(cell)
      reading.assignments.push({ name, value: kept })
      otherwise.push({ path: name, sent: cell, kept, why: "not_boolean" })
    } else {
      const wrong = assignmentFault(limits, "", name, cell)
      if (wrong !== undefined) reading.violations.push(wrong)
      reading.assignments.push({ name, value: cell })
      attributes++
    }
  }
  // All cells are texts, so only a text that is no boolean in any spelling is read otherwise.
  const read = [...(reading.otherwise ?? []), ...otherwise].filter(
    ({ sent }) => typeof sent !== "string" || !isFlagText(sent),
  )
  reading.otherwise = read.length === 0 ? null : read
  const max = limits.attributesPerPersonMax
  if (attributes > max) {
    reading.violations.push(rowTexts.tooManyAttributes("", { max }))
  }
  return reading
}

/**
 * Returns the identifier that addresses the person of a row, and removes this identifier from `reading`. As in a v2
 * item, the first of `svc_id`, `id` and `email` that is present is used (contract §6). Returns undefined if the row has
 * no such identifier.
 */
const takeAddress = (receipt: Receipt, reading: Reading): Address | undefined => {
  const { email, id, svcId } = reading
  if (svcId !== null) {
    reading.svcId = null
    return addressBySvcId(receipt, svcId)
  }
  if (id !== null) {
    reading.id = null
    return addressBy("id", id)
  }
  reading.email = null
  return email === null ? undefined : addressBy("email", email)
}
