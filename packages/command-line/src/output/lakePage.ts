import type { LakeDocument } from "@inlethq/contract/transfer/Lake"
import { drawFields } from "./fields.ts"
import { paint, type Screen } from "./Screen.ts"
import { count, counted, sizeText } from "./text.ts"

/** Draws where a lake is written, and how far it has come. */
export const drawLake = (lake: LakeDocument, screen: Screen): ReadonlyArray<string> => {
  if (lake.target === null) return ["This workspace has no lake. Start one with `inlet lake start`."]
  const { bytes, failure, files, rows, snapshot_to, writing } = lake
  return [
    paint(screen, "bold", "lake"),
    ...drawFields(screen, [
      ["where", lake.url],
      ["written", writtenText(lake)],
      ["people and objects", snapshot_to === null ? "not yet" : `as of position ${snapshot_to}`],
      ["files", `${count(files)} with ${counted(rows, "operation", "operations")}, ${sizeText(bytes)}`],
      ["erasures due", dueText(lake)],
      ["written by", writing ? "the node that answers" : "another node"],
      ["failure", failure],
    ]),
  ]
}

const dueText = ({ erasures_due, erasures_due_by }: LakeDocument): string =>
  erasures_due === 0
    ? "none"
    : `${counted(erasures_due, "deletion is", "deletions are")} still to leave the files, by ${erasures_due_by?.slice(0, "2026-12-06".length)} at the latest`

const writtenText = ({ lag, lag_seconds, to }: LakeDocument): string => {
  const waits = `${counted(lag, "operation waits", "operations wait")}, for ${counted(lag_seconds, "second", "seconds")} so far`
  if (to === null) return lag === 0 ? "nothing yet" : `nothing yet, ${waits}`
  return lag === 0 ? `everything, up to position ${to}` : `up to position ${to}, ${waits}`
}
