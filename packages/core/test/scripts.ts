import { Arbitrary, Array as Arr, Result, Schema } from "effect"
import type { Assignment } from "../src/Attributes.ts"
import type { Command } from "../src/Command.ts"
import { SubjectKey, WorkspaceId, type Reference } from "../src/Identifier.ts"
import type { Json } from "../src/Json.ts"
import { defaultLimits } from "../src/Limits.ts"
import type { Fault } from "../src/Outcome.ts"
import { dayMs, hourMs, minuteMs } from "../src/Timestamp.ts"
import type { Workspace } from "../src/Workspace.ts"

/*
 * Random sequences of commands over so few people, identifiers, attributes and times that nearly every command meets
 * what an earlier one left.
 */

/** When a sequence begins. */
export const epoch = Date.UTC(2026, 0, 1)

/** One of some values; what stands first is the simplest. A value that stands there twice comes twice as often. */
export const oneOf = <A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))).pipe(
    Arbitrary.filterMap((index) => Result.fromOption(Arr.get(values, index), () => "no such value")),
  )

/** Values as often as this. */
const repeat = <A>(times: number, ...values: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from({ length: times }, () => values).flat()

const byIdentifier = (kind: "id" | "email" | "anonymous_id", value: string): Reference => ({
  _tag: "ByIdentifier",
  kind,
  value,
})

const bySvcId = (key: number | null): Extract<Reference, { _tag: "BySvcId" }> => ({
  _tag: "BySvcId",
  key: key === null ? null : SubjectKey.make(key),
})

const ids = {
  one: byIdentifier("id", "1"),
  two: byIdentifier("id", "2"),
  ann: byIdentifier("email", "ann@x.org"),
  annLoud: byIdentifier("email", "Ann@X.org"),
  bob: byIdentifier("email", "bob@x.org"),
  visitor: byIdentifier("anonymous_id", "u"),
  otherVisitor: byIdentifier("anonymous_id", "v"),
  bareOne: {
    _tag: "ByBareText",
    value: "1",
    otherwise: { _tag: "ByIdentifier", kind: "id", value: "1" },
  },
  bareAnn: {
    _tag: "ByBareText",
    value: "ann@x.org",
    otherwise: { _tag: "ByIdentifier", kind: "email", value: "ann@x.org" },
  },
  bareSvcId: { _tag: "ByBareText", value: "svc_p000000002", otherwise: bySvcId(2) },
} as const satisfies Record<string, Reference>

const someone = oneOf<Reference>(
  ...repeat(3, ids.one, ids.two, ids.ann, ids.bob, ids.visitor),
  ids.otherVisitor,
  ids.annLoud,
  ids.bareOne,
  ids.bareAnn,
  ids.bareSvcId,
  ...[1, 2, 3, null].map(bySvcId),
)

export interface Settings {
  readonly eventMerging: boolean
  readonly emailUpdateById: boolean
  readonly attributesMax: number
}

export const settings: Arbitrary.Arbitrary<Settings> = Arbitrary.all({
  eventMerging: oneOf(true, true, false),
  emailUpdateById: oneOf(false, true),
  attributesMax: oneOf(300, 300, 2, 1),
})

export const defaults: Settings = { eventMerging: true, emailUpdateById: false, attributesMax: 300 }

export const workspaceOf = (
  id: number,
  { attributesMax, emailUpdateById, eventMerging }: Settings,
): Workspace => ({
  id: WorkspaceId.make(id),
  name: `workspace ${id}`,
  region: "us",
  identifiers: { id: true, email: true },
  emailUpdateById,
  eventMerging,
  rateLimit: "observe",
  limits: { ...defaultLimits, attributesPerPersonMax: attributesMax },
})

/** One command of a sequence before it has its place in time. */
export interface Step {
  /** How long after the step before it arrives. */
  readonly elapsed: number
  /** How long before its arrival it happened. */
  readonly ago: number
  readonly workspace: number
  readonly key: string | null
  readonly faulty: boolean
  readonly does:
    | {
        readonly action: "identify"
        readonly target: Reference
        readonly id: string | null
        readonly email: string | null
        readonly anonymousId: string | null
        readonly assignments: ReadonlyArray<Assignment>
        readonly updateOnly: boolean
      }
    | { readonly action: "delete"; readonly target: Reference }
    | { readonly action: "event"; readonly target: Reference | null; readonly anonymousId: string | null }
    | { readonly action: "reject" }
}

const assignment = Arbitrary.all({
  name: oneOf("a", "b", "c", "unsubscribed"),
  value: oneOf<Json>(1, "x", { deep: [1] }, null, ""),
})

const identify = Arbitrary.all({
  target: someone,
  id: oneOf(null, null, "1", "2", "ann@x.org"),
  email: oneOf(null, null, "ann@x.org", "Ann@X.org", "bob@x.org"),
  anonymousId: oneOf(null, null, "u", "v"),
  assignments: Arbitrary.array(assignment, { maxLength: 3 }),
  updateOnly: oneOf(...repeat(9, false), true),
}).pipe(
  Arbitrary.map((given) => {
    // a request that names a visitor and somebody else leads with somebody else
    const alone = given.target._tag === "ByIdentifier" && given.target.kind === "anonymous_id"
    return alone
      ? { action: "identify" as const, ...given, id: null, email: null, anonymousId: null }
      : { action: "identify" as const, ...given }
  }),
)

const event = Arbitrary.all({
  target: oneOf<Reference | null>(ids.visitor, ids.one, ids.ann, null).pipe(
    Arbitrary.flatMap((frequent) => someone.pipe(Arbitrary.flatMap((rare) => oneOf(frequent, rare)))),
  ),
  anonymousId: oneOf(null, null, "u"),
}).pipe(
  Arbitrary.map((given) => ({
    action: "event" as const,
    ...given,
    anonymousId: given.target === null ? null : given.anonymousId,
  })),
)

const remove = someone.pipe(Arbitrary.map((target) => ({ action: "delete" as const, target })))

const what = oneOf(...repeat(6, "identify"), ...repeat(5, "event"), "delete", "reject").pipe(
  Arbitrary.flatMap((action): Arbitrary.Arbitrary<Step["does"]> => {
    switch (action) {
      case "identify":
        return identify
      case "event":
        return event
      case "delete":
        return remove
      default:
        return Arbitrary.Constant({ action: "reject" as const })
    }
  }),
)

const step: Arbitrary.Arbitrary<Step> = Arbitrary.all({
  elapsed: oneOf(minuteMs, 0, 0, hourMs, 71 * hourMs, 72 * hourMs, 29 * dayMs, 30 * dayMs, 31 * dayMs),
  ago: oneOf(0, 0, minuteMs, hourMs, 72 * hourMs, 72 * hourMs + 1, 5 * dayMs, 40 * dayMs, -dayMs),
  workspace: oneOf(...repeat(9, 1), 2),
  key: oneOf(...repeat(7, null), "k1", "k2", "k3"),
  faulty: oneOf(...repeat(15, false), true),
  does: what,
})

export const scriptOf = (minLength: number, maxLength: number): Arbitrary.Arbitrary<ReadonlyArray<Step>> =>
  Arbitrary.array(step, { minLength, maxLength })

const fault: Fault = { reason: "invalid", field: "created_at", message: "no time" }

/** The commands of a sequence, in time. */
export const commandsOf = (script: ReadonlyArray<Step>, settings: Settings): ReadonlyArray<Command> => {
  let now = epoch
  return script.map((step): Command => {
    now += step.elapsed
    const envelope = {
      workspace: workspaceOf(step.workspace, settings),
      source: "track-v1" as const,
      receivedAt: now,
      at: now - step.ago,
      originalTimestamp: null,
      batchIndex: null,
      deduplicationKey: step.key,
      faults: step.faulty ? [fault] : [],
    }
    const { does } = step
    switch (does.action) {
      case "identify": {
        const { action: _, ...asked } = does
        return { _tag: "IdentifyPerson", ...envelope, ...asked }
      }
      case "delete":
        return { _tag: "DeletePerson", ...envelope, target: does.target }
      case "event":
        return {
          _tag: "RecordEvent",
          ...envelope,
          kind: does.target === null ? "anonymous_event" : "event",
          target: does.target,
          anonymousId: does.anonymousId,
          name: "bought",
          data: { price: 1 },
        }
      case "reject":
        return { _tag: "RejectOperation", ...envelope, kind: "event" }
    }
  })
}
