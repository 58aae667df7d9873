import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { unmergeSentences } from "@inlethq/log/explanation/unmergeSentences"
import type { UnmergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import type { PersonDocument, PersonThenDocument } from "@inlethq/contract/people/People"
import { drawEntries } from "./entryLine.ts"
import { drawFields, type Field } from "./fields.ts"
import { paint, type Screen } from "./Screen.ts"
import { counted, printable, valueText } from "./text.ts"
import { fullTime, zoneName } from "./times.ts"

/** The largest number of attributes, and the largest number of related objects, in the output of `inlet people get`. */
const attributesShownMax = 100
const relatedShownMax = 20

type PersonThen = PersonDocument & Partial<Pick<PersonThenDocument, "as_of" | "last_seen">>

/** Returns the moment of which somebody or something is shown. */
export const momentText = (screen: Screen, { at, position }: NonNullable<PersonThen["as_of"]>): string =>
  at === null ? `position ${position}` : fullTime(screen.times, at)

const lastSeenOf = (screen: Screen, { last_seen: seen }: PersonThen): string | null => {
  if (seen == null) return null
  const where = [seen.page, seen.app, seen.device, seen.country].filter((told) => told !== null)
  return printable(`${fullTime(screen.times, seen.at)}, ${where.join(", ")}`)
}

/** Draws a person with their attributes, devices, objects and newest activity. */
export const drawPerson = (
  screen: Screen,
  person: PersonThen,
  activity: ReadonlyArray<ActivityDocument>,
): ReadonlyArray<string> => [
  paint(screen, "bold", printable(person.id ?? person.email ?? person.svc_id)),
  ...drawFields(screen, [
    ["as of", person.as_of === undefined ? null : momentText(screen, person.as_of)],
    ["svc_id", person.svc_id],
    ["id", person.id],
    ["email", person.email],
    ["anonymous ids", person.anonymous_ids.join(", ")],
    ["created", fullTime(screen.times, person.created_at)],
    ["updated", fullTime(screen.times, person.updated_at)],
    ["last seen", lastSeenOf(screen, person)],
    ["unsubscribed", person.unsubscribed ? "yes" : null],
    ["segments", person.segments.join(", ")],
  ]),
  ...section(screen, "ATTRIBUTES", drawFields(screen, attributesOf(person))),
  ...section(
    screen,
    "DEVICES",
    drawFields(
      screen,
      person.devices.map((device) => deviceField(screen, device)),
    ),
  ),
  ...section(screen, "OBJECTS", drawFields(screen, relatedOf(person))),
  ...section(
    screen,
    screen.isTerminal ? `ACTIVITY (times in ${zoneName(screen.times)})` : "ACTIVITY",
    drawEntries({ ...screen, columns: screen.columns - 2 }, activity).map((line) => `  ${line}`),
  ),
]

/** Draws what undoing a merge would do. */
export const drawUnmerge = (
  screen: Screen,
  preview: UnmergePreviewDocument,
  isDivided: boolean,
): ReadonlyArray<string> => {
  const { after, outcome, reason, stays } = preview
  return [
    `undoing the merge would be ${paint(screen, "bold", outcome)}`,
    ...unmergeSentences(preview, { isDivided, isDone: false }).map(printable),
    ...(after === null && reason !== null ? [printable(reason)] : []),
    ...(after === null
      ? []
      : [after.primary, after.secondary].flatMap((person) => ["", ...drawPerson(screen, person, [])])),
    ...section(
      screen,
      "STAYS",
      stays.map(({ other, path, reason: why }) => {
        return `  ${printable(path)}: ${printable(why)}${other === null ? "" : ` (${other})`}`
      }),
    ),
  ]
}

/** Draws lines below a heading. Draws nothing if there are no lines. */
export const section = (
  screen: Screen,
  heading: string,
  lines: ReadonlyArray<string>,
): ReadonlyArray<string> => (lines.length === 0 ? [] : ["", paint(screen, "dim", heading), ...lines])

const attributesOf = ({ attributes }: PersonDocument): ReadonlyArray<Field> => {
  const all = Object.entries(attributes)
  const shown = all.slice(0, attributesShownMax).map(([name, value]): Field => [name, valueText(value)])
  const rest = all.length - shown.length
  return rest > 0 ? [...shown, ["…", `and ${counted(rest, "attribute", "attributes")} more`]] : shown
}

const deviceField = (
  screen: Screen,
  { last_used, platform, token }: PersonDocument["devices"][number],
): Field => [
  platform,
  last_used === null ? token : `${token}, last used ${fullTime(screen.times, last_used)}`,
]

const relatedOf = ({ relationships }: PersonDocument): ReadonlyArray<Field> => {
  const shown = relationships
    .slice(0, relatedShownMax)
    .map(({ attributes, object_id, object_type_id }): Field => [
      `${object_type_id}/${object_id}`,
      Object.entries(attributes)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(" ") || "related",
    ])
  const rest = relationships.length - shown.length
  return rest > 0 ? [...shown, ["…", `and ${counted(rest, "object", "objects")} more`]] : shown
}
