import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { isStale } from "@inlethq/wire/texts/sentences"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"

/** A field of the explained operation, and the id of another operation that determined the field's value. */
type Override = ExplanationDocument["overridden_by"][number]

/** Returns the paths of the fields that an operation changed. */
export const changedPaths = ({ changes }: ActivityDocument): ReadonlyArray<string> => [
  ...new Set(changes.map(({ path }) => path)),
]

/** Returns the paths of the fields that an operation did not change because newer values were stored. */
export const stalePaths = ({ reasons }: ActivityDocument): ReadonlyArray<string> =>
  reasons.flatMap((reason) => (isStale(reason) && reason.field !== "" ? [reason.field] : []))

/**
 * Returns what happened to a person as that very person. The log of a person also has what happened to their objects, whose
 * fields may have the same names, and to people before they were merged into the person.
 */
export const ownRecords = (
  person: SubjectKey | null,
  records: ReadonlyArray<ActivityRecord>,
): ReadonlyArray<ActivityRecord> => records.filter(({ entry }) => entry.subject === person)

/**
 * For each path in `paths`, returns the path with the id of the first operation in `entries` that changed this field. Leaves
 * out fields that no operation changed. A change of `a` also counts as a change of `a.b`, and a change of `a.b` as a change of
 * `a`.
 */
export const overridesOf = (
  paths: ReadonlyArray<string>,
  entries: ReadonlyArray<ActivityDocument>,
): ReadonlyArray<Override> =>
  paths.flatMap((path) => {
    const entry = entries.find(({ changes }) => changes.some((change) => isSameField(change.path, path)))
    return entry === undefined ? [] : [{ path, operation_id: entry.operation_id }]
  })

const isSameField = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)
