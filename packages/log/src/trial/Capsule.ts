import { Command } from "@inlethq/core/Command"
import { Outcome } from "@inlethq/core/log/Outcome"
import { Subject } from "@inlethq/core/state/Subject"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { withLaterSettings } from "@inlethq/core/workspace/Workspace"
import { Option, Schema } from "effect"
import { decisionOf } from "./compareEntries.ts"
import { moveTo, TrialWorld } from "./TrialWorld.ts"

/** How an operation was decided, without any value. */
const Verdict = Schema.Struct({
  outcome: Outcome,
  rule: Schema.NullOr(Schema.String),
  codes: Schema.Array(Schema.String),
  refused: Schema.Array(Schema.Struct({ path: Schema.String, code: Schema.String })),
})
export type Verdict = typeof Verdict.Type

/** One decision: what was known, what was asked, and what was decided. No personal value stands in it. */
const Capsule = Schema.Struct({
  /** The format. */
  capsule: Schema.Literal(1),
  version: Schema.String,
  next_key: SubjectKey,
  sequence: Sequence,
  subjects: Schema.Array(Subject),
  command: Command,
  expected: Verdict,
})
export type Capsule = typeof Capsule.Type

const json = Schema.toCodecJson(Capsule)
const decode = Schema.decodeUnknownOption(json)

export const encodeCapsule: (capsule: Capsule) => Json = Schema.encodeSync(json)

/** Reads a capsule, also one of an older build, or returns undefined if it is none, or one whose command is not known. */
export const readCapsule = (text: unknown): Capsule | undefined => {
  if (!isObject(text) || !isObject(text["command"])) return undefined
  const { command } = text
  const workspace = isObject(command["workspace"]) ? withLaterSettings(command["workspace"]) : null
  return Option.getOrUndefined(decode({ ...text, command: { ...command, workspace } }))
}

const isObject = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** Decides a capsule. Returns null if nothing was decided. */
export const decideCapsule = ({ command, next_key, sequence, subjects }: Capsule): Verdict | null => {
  const { workspace } = command
  const world = new TrialWorld(workspace, {
    nextKey: next_key,
    nextSequence: sequence,
    digest: (text) => text,
  })
  for (const subject of subjects) world.put(subject.key, subject)
  moveTo(world, { sequence, nextKey: next_key })
  return decisionOf(world.decide(command).entry)
}

export const isSameVerdict = (one: Verdict | null, other: Verdict | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
