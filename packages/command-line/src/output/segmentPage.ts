import type { PersonDocument } from "@inlet/api/management/People"
import type { SegmentDocument } from "@inlet/api/management/Segments"
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
