import { Arbitrary } from "effect"
import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import {
  SubjectKey,
  WorkspaceId,
  type ObjectReference,
  type Reference,
} from "@inlethq/core/values/Identifier"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { dayMs, hourMs, minuteMs } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { identifyAs, byIdentifier, commandBodies, oneOf, repeat, type CommandBody } from "./randomCommands.ts"
import { blank } from "./harness.ts"

export { oneOf } from "./randomCommands.ts"

/*
 * Random sequences of commands on so few people, identifiers, attributes and times that nearly every command affects
 * data of an earlier command.
 */

/** The start time of every sequence. */
export const epoch = Date.UTC(2026, 0, 1)

export interface Settings {
  readonly eventMerging: boolean
  readonly emailUpdateById: boolean
  readonly attributesMax: number
  readonly objectAttributesMax?: number
  readonly recordsMax?: number
}

export const settings: Arbitrary.Arbitrary<Settings> = Arbitrary.all({
  eventMerging: oneOf(true, true, false),
  emailUpdateById: oneOf(false, true),
  attributesMax: oneOf(300, 300, 2, 1),
  objectAttributesMax: oneOf(300, 300, 2, 1),
})

export const defaults: Settings = {
  eventMerging: true,
  emailUpdateById: false,
  attributesMax: 300,
  objectAttributesMax: 300,
}

export const workspaceOf = (
  id: number,
  { attributesMax, emailUpdateById, eventMerging, objectAttributesMax, recordsMax }: Settings,
): Workspace => ({
  id: WorkspaceId.make(id),
  name: `workspace ${id}`,
  region: "us",
  identifiers: { id: true, email: true },
  emailUpdateById,
  eventMerging,
  placeholderIds: "mark",
  context: "keep",
  omit: [],
  bots: "mark",
  ip: "truncate",
  plan: null,
  unknownEvents: "allow",
  rateLimit: "observe",
  kafka: null,
  lake: null,
  retentionDays: null,
  auditDays: 365,
  historyDays: 30,
  rejectedDays: 7,
  alerts: { errorRatePercent: 5, errorsMin: 10, lagSeconds: 900 },
  recordsMax: recordsMax ?? null,
  limits: {
    ...defaultLimits,
    attributesPerPersonMax: attributesMax,
    attributesPerObjectMax: objectAttributesMax ?? defaultLimits.attributesPerObjectMax,
  },
})

/** A command of a sequence, without its absolute times. */
export interface Step {
  /** Milliseconds between the receipt of the previous command and the receipt of this command. */
  readonly elapsed: number
  /** Milliseconds between the command's own time and its receipt. */
  readonly ago: number
  readonly key: string | null
  readonly faulty: boolean
  readonly body: CommandBody
}

type Tag = CommandBody["_tag"]

/**
 * Groups of kinds of command. Commands affect each other more often in a sequence with the kinds of one group than in a
 * sequence with all kinds.
 */
const focuses = {
  people: [
    ...repeat(6, "IdentifyPerson" as const),
    ...repeat(5, "RecordEvent" as const),
    "DeletePerson",
    "RejectOperation",
  ],
  merge: [
    ...repeat(5, "IdentifyPerson" as const, "MergePeople" as const),
    ...repeat(3, "RecordEvent" as const),
    "AliasPerson",
    "DeletePerson",
    "AddDevice",
    "ChangeRelationships",
    "ChangeMembership",
    "RegisterDelivery",
    "SuppressPerson",
    "UnsuppressPerson",
  ],
  suppression: [
    ...repeat(5, "IdentifyPerson" as const, "SuppressPerson" as const),
    ...repeat(3, "UnsuppressPerson" as const, "RecordEvent" as const),
    "DeletePerson",
    "MergePeople",
    "AddDevice",
    "DeleteDevice",
    "ChangeRelationships",
    "IdentifyObject",
    "ChangeObjectRelationships",
    "ChangeMembership",
    "SubmitForm",
    "RegisterDelivery",
    "UnsubscribeByDelivery",
  ],
  devices: [
    ...repeat(3, "IdentifyPerson" as const, "DeleteDevice" as const),
    ...repeat(6, "AddDevice" as const),
    "MergePeople",
    "DeletePerson",
    "SuppressPerson",
  ],
  objects: [
    ...repeat(
      3,
      "IdentifyPerson" as const,
      "ChangeRelationships" as const,
      "IdentifyObject" as const,
      "ChangeObjectRelationships" as const,
    ),
    "DeleteObject",
    "MergePeople",
    "DeletePerson",
    "SuppressPerson",
    "UnsuppressPerson",
  ],
  segments: [
    ...repeat(3, "IdentifyPerson" as const),
    ...repeat(5, "ChangeMembership" as const),
    "CreateSegment",
    "DeleteSegment",
    "FollowTime",
    "MergePeople",
    "DeletePerson",
    "SuppressPerson",
  ],
  forms: [
    ...repeat(5, "SubmitForm" as const),
    ...repeat(2, "MapForm" as const, "IdentifyPerson" as const),
    "SuppressPerson",
    "UnsuppressPerson",
    "RecordEvent",
  ],
  deliveries: [
    ...repeat(3, "RegisterDelivery" as const, "ReportMetric" as const, "UnsubscribeByDelivery" as const),
    ...repeat(2, "IdentifyPerson" as const),
    "MergePeople",
    "DeletePerson",
    "SuppressPerson",
    "ReportExcess",
  ],
} as const satisfies Record<string, ReadonlyArray<Tag>>

/** All kinds of command. Important kinds are listed several times, so that they appear more often. */
export const everything: ReadonlyArray<Tag> = Object.values(focuses).flat()

const pauses = [hourMs, hourMs, 71 * hourMs, 72 * hourMs, 29 * dayMs, 30 * dayMs, 31 * dayMs]

const stepOf = (tags: ReadonlyArray<Tag>): Arbitrary.Arbitrary<Step> =>
  Arbitrary.all({
    elapsed: oneOf(...repeat(5, minuteMs), ...repeat(3, 0), ...pauses),
    ago: oneOf(0, 0, minuteMs, hourMs, 72 * hourMs, 72 * hourMs + 1, 5 * dayMs, 40 * dayMs, -dayMs),
    key: oneOf(...repeat(7, null), "k1", "k2", "k3"),
    faulty: oneOf(...repeat(15, false), true),
    body: oneOf(...tags).pipe(
      Arbitrary.flatMap((tag): Arbitrary.Arbitrary<CommandBody> => commandBodies[tag]),
    ),
  })

const steps = [...Object.values(focuses), everything].map((tags) => stepOf(tags))

export const scriptOf = (minLength: number, maxLength: number): Arbitrary.Arbitrary<ReadonlyArray<Step>> =>
  oneOf(...steps).pipe(Arbitrary.flatMap((step) => Arbitrary.array(step, { minLength, maxLength })))

/** Returns random sequences of commands of the given kinds only. */
export const scriptAbout = (
  tags: ReadonlyArray<CommandBody["_tag"]>,
  minLength: number,
  maxLength: number,
): Arbitrary.Arbitrary<ReadonlyArray<Step>> => Arbitrary.array(stepOf(tags), { minLength, maxLength })

const fault: Fault = {
  reason: "invalid",
  code: "value_unreadable_time",
  field: "created_at",
  values: {},
}

/** The keys of the people, objects and segments that the sequence has created so far, in order of creation. */
interface Given {
  readonly people: Array<SubjectKey>
  readonly objects: Array<SubjectKey>
  readonly segments: Array<SubjectKey>
}

/** Returns a step that is received at the same time as the step before it. */
export const atOnce = (body: CommandBody): Step => ({
  elapsed: 0,
  ago: 0,
  key: null,
  faulty: false,
  body,
})

/** Every sequence starts with two segments. */
const beginning = ["VIP", "Trial"].map((name) =>
  atOnce({ _tag: "CreateSegment", name, description: null, rule: null, announce: false }),
)

/** Creates four people. Each gets one of the identifiers that the random sequences use for people. */
export const fourPeople: ReadonlyArray<Step> = [
  byIdentifier("id", "id-one"),
  byIdentifier("email", "bob@x.org"),
  byIdentifier("id", "id-two"),
  byIdentifier("email", "ann@x.org"),
].map((target) => atOnce(identifyAs(target)))

/**
 * Returns the commands of a sequence with absolute times and subject keys. In the sequence, ordinals stand for subjects
 * (1 is the first person that the sequence creates). Runs the commands in order, and replaces each ordinal by the
 * subject's key.
 */
export const commandsOf = (script: ReadonlyArray<Step>, settings: Settings): ReadonlyArray<Command> => {
  let now = epoch
  const state = blank()
  const given: Given = { people: [], objects: [], segments: [] }
  return [...beginning, ...script].map((step): Command => {
    now += step.elapsed
    const body = withKeys(step.body, given)
    const command: Command = {
      workspace: workspaceOf(1, settings),
      source: "track-v1",
      receivedAt: now,
      at: now - step.ago,
      followsReceipt: false,
      originalTimestamp: null,
      batchIndex: null,
      deduplicationKey: step.key,
      sender: null,
      faults: step.faulty && !isOperators(body) ? [fault] : [],
      ...body,
    }
    for (const change of decideAll(state, [command]).changes) {
      if (change._tag === "PersonCreated") given.people.push(change.key)
      if (change._tag === "ObjectCreated") given.objects.push(change.key)
      if (change._tag === "SegmentCreated") given.segments.push(change.key)
    }
    return command
  })
}

/**
 * Returns whether only operators send the command. Faults record the invalid parts of a command that a decoder left
 * out. A command of operators never has faults, because one invalid part makes its decoder reject the whole request.
 */
const isOperators = ({ _tag }: CommandBody): boolean =>
  _tag === "CreateSegment" ||
  _tag === "DeleteSegment" ||
  _tag === "FollowTime" ||
  _tag === "MapForm" ||
  _tag === "RegisterDelivery" ||
  _tag === "ReportExcess" ||
  _tag === "RepeatErasure" ||
  _tag === "UnmergePeople"

const keyAt = (keys: ReadonlyArray<SubjectKey>, ordinal: SubjectKey | null): SubjectKey | null =>
  ordinal === null ? null : (keys[ordinal - 1] ?? SubjectKey.make(1_000_000 + ordinal))

/** Replaces the ordinals in a command (1 is the first person, object or segment that was created) by subject keys. */
const withKeys = (body: CommandBody, given: Given): CommandBody => {
  const svc = <R extends { readonly key: SubjectKey | null }>(reference: R): R => ({
    ...reference,
    key: keyAt(given.people, reference.key),
  })
  const who = (reference: Reference): Reference => {
    if (reference._tag === "BySvcId") return svc(reference)
    if (reference._tag !== "ByBareText" || reference.otherwise._tag !== "BySvcId") return reference
    return { ...reference, otherwise: svc(reference.otherwise) }
  }
  const what = (reference: ObjectReference): ObjectReference =>
    reference._tag === "BySvcObjectId"
      ? { ...reference, key: keyAt(given.objects, reference.key) }
      : reference
  switch (body._tag) {
    case "IdentifyPerson": {
      const { relationships } = body
      if (relationships === null) return { ...body, target: who(body.target) }
      const entries = relationships.entries.map((entry) => ({ ...entry, object: what(entry.object) }))
      return { ...body, target: who(body.target), relationships: { ...relationships, entries } }
    }
    case "DeletePerson":
    case "SuppressPerson":
    case "UnsuppressPerson":
    case "AddDevice":
    case "DeleteDevice":
      return { ...body, target: who(body.target) }
    case "RecordEvent":
      return { ...body, target: body.target === null ? null : who(body.target) }
    case "MergePeople":
      return { ...body, primary: who(body.primary), secondary: who(body.secondary) }
    case "AliasPerson":
      return { ...body, target: who(body.target), previous: who(body.previous) }
    case "ChangeRelationships": {
      const entries = body.entries.map((entry) => ({ ...entry, object: what(entry.object) }))
      return { ...body, target: who(body.target), entries }
    }
    case "IdentifyObject":
    case "ChangeObjectRelationships": {
      const entries = body.entries.map((entry) => ({ ...entry, person: who(entry.person) }))
      return { ...body, object: what(body.object), entries }
    }
    case "DeleteObject":
      return { ...body, object: what(body.object) }
    case "ChangeMembership":
      return { ...body, segment: keyAt(given.segments, body.segment), people: body.people.map(who) }
    case "DeleteSegment":
      return { ...body, segment: keyAt(given.segments, body.segment) ?? body.segment }
    case "FollowTime":
      return { ...body, person: keyAt(given.people, body.person) ?? body.person }
    case "RegisterDelivery":
      return { ...body, person: body.person === null ? null : who(body.person) }
    default:
      return body
  }
}
