import { overridesOf, ownRecords } from "@inlethq/log/explanation/overriding"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { positionsShown, proofDocument } from "@inlethq/log/documents/proofDocument"
import type {
  CrossingDocument,
  MembershipExplanation,
  PersonSegment,
} from "@inlethq/contract/segments/SegmentRules"
import type { ActivityReader } from "@inlethq/log/reading/filteredActivity"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Store } from "@inlethq/core/ports/Store"
import { statesOf } from "@inlethq/core/membership/ringOf"
import { explainRule } from "@inlethq/core/rule/explainRule"
import { isMember } from "@inlethq/core/rule/Moment"
import { partsOf, type Proof } from "@inlethq/core/rule/Proof"
import { aboutObjects } from "@inlethq/core/rule/definitions"
import { leavesOf, segmentsIn } from "@inlethq/core/rule/Rule"
import type { DecodedRule, RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { LeafStates } from "@inlethq/core/state/LeafState"
import type { Person } from "@inlethq/core/state/Person"
import { entrancesOf } from "@inlethq/log/history/entrance"
import { hasRule, ruleStateOf, type RuleState } from "@inlethq/core/state/Segment"
import type { Subject } from "@inlethq/core/state/Subject"
import { operationIdText, svcIdText, type Sequence, type SubjectKey } from "@inlethq/core/values/Identifier"
import { toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Effect, Option } from "effect"
import { readingOf } from "./readTried.ts"

/** The largest number of a person's entries that an explanation reads to find what caused something. */
const entriesRead = 500

/** The largest number of counted operations of which an explanation reads the ids. */
const operationsReadMax = 100

/** The largest number of entries and exits that an explanation lists. */
const crossingsShownMax = 50

/** What an explanation reads with. */
export interface MembershipReader extends ActivityReader {
  readonly store: Store["Service"]
}

/** Explains why the rule of a segment holds or does not hold for a person. */
export const explainMembership = Effect.fnUntraced(function* (
  reader: MembershipReader,
  person: Person,
  segment: SubjectKey,
  { rule, stored }: DecodedRule,
  now: EpochMillis,
) {
  const { workspace } = person
  const named = segmentsIn(rule)
  const leaves = leavesOf(rule)
  const building = (yield* reader.store.building).filter((one) => one.workspace === workspace)
  const wanted = new Set([person.key, segment, ...named, ...building.map(({ build }) => build)])
  const { leafStates, rules, subjects } = yield* reader.store.view(readingOf(workspace, wanted, now))
  const seen = subjects.get(person.key)
  const current = seen?._tag === "Person" ? seen : person
  const states = statesOf(leafStates, current, rules)
  const asOf = followedTo(states, now)
  const proof = explainRule(
    { rule, leaves: stored.leaves },
    { person: current, subjects, rules, leafStates: states, now: asOf },
  )
  const { entries, own } = yield* entriesOf(reader, current)
  const operations = yield* operationsIn(reader, current, proof)
  const tree = proofDocument(proof, {
    brand: reader.brand,
    segmentName: (key) => {
      const found = subjects.get(key)
      return found?._tag === "Segment" ? found.name : undefined
    },
    operationAt: (position) => operations.get(position) ?? null,
    changedBy: (path) => overridesOf([path, `attributes.${path}`], own)[0]?.operation_id ?? null,
    countedFrom: (leaf) => stored.countedFrom[leaves.indexOf(leaf)] ?? null,
  })
  const document: MembershipExplanation = {
    segment_id: segment,
    version: stored.version,
    state: stateIn(rules, subjects, segment),
    svc_id: svcIdText(workspace, current.key),
    member: isMember({ person: current, rules }, segment),
    as_of: toIso(asOf),
    tree,
    history: crossingsIn(entries, current, segment).slice(0, crossingsShownMax),
  }
  return document
})

/** Returns the state of a segment by what was read of it and of the builds of its workspace. */
const stateIn = (
  rules: RuleIndex,
  subjects: ReadonlyMap<SubjectKey, Subject>,
  segment: SubjectKey,
): RuleState => {
  const definition = rules.definitions.get(segment)
  const settles = [...subjects.values()].some((one) => one._tag === "RuleBuild" && one.settles !== null)
  return definition === undefined
    ? "active"
    : ruleStateOf(definition.segment, settles && aboutObjects(rules).has(segment))
}

/** Returns the segments of a person with the operation by which they entered each, or that of the build that found them. */
export const segmentsOfPerson = Effect.fnUntraced(function* (
  reader: MembershipReader,
  person: Person,
  keys: ReadonlyArray<SubjectKey>,
) {
  const { subjects } = yield* reader.store.view(readingOf(person.workspace, new Set(keys)))
  const segments = keys.flatMap((key) => {
    const segment = subjects.get(key)
    return segment?._tag === "Segment" ? [segment] : []
  })
  const entrances = yield* entrancesOf(reader.catalog, person, segments)
  return segments.map((segment): PersonSegment => {
    const { key, name } = segment
    const entrance = entrances.get(key) ?? null
    return {
      segment_id: key,
      name,
      kind: hasRule(segment) ? "rule" : "manual",
      since: entrance && toIso(entrance.at),
      operation_id: entrance && operationIdText(person.workspace, entrance.position, entrance.batchIndex),
    }
  })
})

/**
 * Returns the time up to which time has been followed for a person: now, unless a leaf is due and the server has not come to it
 * yet.
 */
const followedTo = (states: LeafStates, now: EpochMillis): EpochMillis => {
  let time = now
  for (const { due } of states.values()) if (due !== null && due <= time) time = due - 1
  return time
}

/** Returns the newest entries of a person's log, and those of them that happened to the person as that very person. */
const entriesOf = Effect.fnUntraced(function* ({ brand, catalog, turns }: ActivityReader, person: Person) {
  const page = { limit: entriesRead, after: null, order: "desc" } as const
  const { items } = yield* catalog.activity(person.workspace, { ...noFilter, person, withErased: true }, page)
  return yield* turns.work(function* () {
    const documents = new Map(items.map((record) => [record, activityDocument(record, brand)]))
    const own = ownRecords(person.key, items).flatMap((record) => documents.get(record) ?? [])
    return { entries: [...documents.values()], own }
  })
})

/** Returns the ids of the counted operations, by their positions in the log. */
const operationsIn = Effect.fnUntraced(function* (
  { catalog }: ActivityReader,
  { workspace }: Person,
  proof: Proof,
) {
  const positions = new Set(
    Array.from(partsOf(proof)).flatMap((part) => (part._tag === "Leaf" ? positionsShown(part.evidence) : [])),
  )
  const ids = new Map<Sequence, string>()
  for (const position of [...positions].slice(0, operationsReadMax)) {
    const found = yield* catalog.operation(workspace, position)
    if (Option.isSome(found)) {
      ids.set(position, operationIdText(workspace, position, found.value.entry.batchIndex))
    }
  }
  return ids
})

/** Returns when a person entered and left a segment, newest first. `entries` are those of the person, newest first. */
const crossingsIn = (
  entries: ReadonlyArray<ActivityDocument>,
  { key, workspace }: Person,
  segment: SubjectKey,
): ReadonlyArray<CrossingDocument> => {
  const svcId = svcIdText(workspace, key)
  return entries.flatMap(({ effects, kind, name, operation_id, received_at }) =>
    effects.flatMap(({ change, segment_id, svc_id, version }) =>
      svc_id === svcId && segment_id === segment
        ? [{ change, at: received_at, operation_id, kind, name, version }]
        : [],
    ),
  )
}
