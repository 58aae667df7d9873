import type { PersonDocument } from "@inlethq/contract/people/People"
import type { SegmentDocument, SegmentSizesDocument } from "@inlethq/contract/segments/Segments"
import { drawFields, type Field } from "./fields.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { count, printable } from "./text.ts"

/** Draws a segment and its first people. */
export const drawSegment = (
  screen: Screen,
  { description, name, next, progress, rule, segment_id, size, state }: SegmentDocument,
  people: ReadonlyArray<PersonDocument>,
): ReadonlyArray<string> => {
  const shown = people.map(({ email, id, svc_id }): Field => [svc_id, id ?? email ?? "anonymous"])
  const more = size - people.length
  return [
    paint(screen, "bold", printable(name)),
    ...drawFields(screen, [
      ["id", String(segment_id)],
      ["description", description],
      ["state", state],
      ["next version", next === null ? null : `${Math.floor((progress ?? 0) * 100)} % built`],
      ["rule", rule === null ? null : JSON.stringify(rule)],
      ["people", count(size)],
    ]),
    ...section(
      screen,
      "PEOPLE",
      drawFields(screen, more > 0 ? [...shown, ["…", `and ${count(more)} more`]] : shown),
    ),
  ]
}

const barWidth = 16

/** Draws how many people a segment had by day. */
export const drawSizes = (screen: Screen, { days }: SegmentSizesDocument): ReadonlyArray<string> => {
  const largest = Math.max(1, ...days.map(({ size }) => size ?? 0))
  const bar = (size: number) => "█".repeat(Math.ceil((size / largest) * barWidth)).padEnd(barWidth)
  return days.map(({ day, size }) =>
    size === null
      ? `${day}  ${paint(screen, "dim", "not known")}`
      : `${day}  ${paint(screen, "green", bar(size))} ${count(size)}`,
  )
}
