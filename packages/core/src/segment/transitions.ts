import { valueOf } from "../state/Attributes.ts"
import type { ChangeMembership, CreateSegment, DeleteSegment } from "./commands.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { dropped, accepted, rejected, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { Segment } from "../state/Segment.ts"
import { decisionFaults, dropReasons } from "../log/faults.ts"

const rule = "track-api §4.3 rule 2"

/** The fault of a call that names an unknown segment (track-api §7 rule 6). */
const notFound = decisionFaults.segmentNotFound("segment_id")

/** Adds people to a manual segment, or removes them. Ids that match no person are ignored and counted (contract §12). */
export const changeMembership = (state: WorkingSet, command: ChangeMembership): Verdict => {
  const segment = findSegment(state, command)
  if (segment === null) return rejected([notFound], rule)
  const draft = new DecisionDraft(state, command.faults)
  const handled = new Set<SubjectKey>()
  let applied = 0
  for (const reference of command.people) {
    const found = resolvePerson(state, reference)
    if (found._tag !== "KnownPerson") continue
    const { person } = found
    if (command.action === "remove" && !hasId(command, person)) continue
    applied++
    const isIn = person.segments.includes(segment.key)
    if (isIn === (command.action === "add") || handled.has(person.key)) continue
    if (!isIn && person.segments.length >= command.workspace.limits.segmentsPerPersonMax) {
      applied--
      continue
    }
    handled.add(person.key)
    const tag = isIn ? "SegmentLeft" : "SegmentJoined"
    draft.changes.push({ _tag: tag, key: person.key, segment: segment.key })
  }
  return accepted("applied", draft.faults, {
    rule,
    subject: segment.key,
    data: {
      segment_id: segment.key,
      ids_applied: applied,
      ids_ignored: command.people.length - applied,
    },
    changes: draft.changes,
  })
}

/**
 * Returns whether a person has an `id`. In a workspace that does not identify people by id, `id` is an ordinary
 * attribute.
 */
const hasId = ({ workspace }: ChangeMembership, { attributes, id }: Person): boolean =>
  id !== null || (!workspace.identifiers.id && valueOf(attributes, "id") !== null)

/** Creates an empty manual segment. */
export const createSegment = (state: WorkingSet, command: CreateSegment): Verdict => {
  const { description, name, receivedAt: at } = command
  const key = state.nextKey
  return accepted("created", command.faults, {
    rule: "contract §12 manual segments",
    subject: key,
    data: { segment_id: key, name },
    changes: [{ _tag: "SegmentCreated", key, name, description, at }],
  })
}

/** Deletes a manual segment and its memberships. */
export const deleteSegment = (state: WorkingSet, command: DeleteSegment): Verdict => {
  const segment = findSegment(state, command)
  if (segment === null) return dropped(dropReasons.unknownSegment(), "contract §12 manual segments")
  const { key } = segment
  return accepted("applied", command.faults, {
    rule: "contract §12 manual segments",
    subject: key,
    data: { segment_id: key },
    changes: [{ _tag: "SubjectDeleted", key, before: state.nextSequence }],
  })
}

const findSegment = (state: WorkingSet, { segment }: Pick<ChangeMembership, "segment">): Segment | null => {
  const subject = segment === null ? undefined : state.subjects.get(segment)
  return subject?._tag === "Segment" ? subject : null
}
