import { Schema } from "effect"
import { IsoTime } from "../values/IsoTime.ts"

const Counted = Schema.Struct({
  type: Schema.Literal("counted"),
  /** How often the leaf asks for it. */
  needed: Schema.Struct({ operator: Schema.Literals(["gte", "lte", "eq"]), n: Schema.Int }),
  /** How often it was counted. Once the leaf is decided, no more is counted. */
  times: Schema.Int,
  /** The newest operations that were counted. `operation_id` is null once the log has removed the operation. */
  operations: Schema.Array(Schema.Struct({ operation_id: Schema.NullOr(Schema.String), at: IsoTime })),
  /** Nothing that was received before this time is counted. Null if everything is. */
  counted_from: Schema.NullOr(IsoTime),
})

const Values = Schema.Struct({
  type: Schema.Literal("values"),
  path: Schema.String,
  values: Schema.Array(Schema.Json),
  /** The operation that last changed the value. Null if the log no longer tells. */
  operation_id: Schema.NullOr(Schema.String),
})

/** What decided a leaf of a rule. */
export const EvidenceDocument = Schema.Union([
  Counted,
  Values,
  Schema.Struct({ type: Schema.Literal("identifiers"), values: Schema.Array(Schema.String) }),
  Schema.Struct({ type: Schema.Literal("created"), created_at: IsoTime }),
  Schema.Struct({ type: Schema.Literal("devices"), tokens: Schema.Array(Schema.String) }),
  Schema.Struct({
    type: Schema.Literal("objects"),
    objects: Schema.Array(Schema.Struct({ object_type_id: Schema.String, object_id: Schema.String })),
  }),
  Schema.Struct({ type: Schema.Literal("segment"), segment_id: Schema.Int, member: Schema.Boolean }),
]).annotate({ identifier: "RuleEvidence", description: "what decided a leaf of a rule" })
export type EvidenceDocument = typeof EvidenceDocument.Type

/** A part of a rule, whether it holds for a person, and why. */
export interface ProofDocument {
  /** The place of the part in the rule, as a JSON pointer. */
  readonly path: string
  readonly kind: "and" | "or" | "not" | "aged" | "leaf"
  /** What the part asks for, in words. */
  readonly text: string
  readonly truth: boolean
  /** The time at which this part changes by itself; null if it does not. */
  readonly flips_at: string | null
  readonly flips_to: boolean | null
  readonly evidence: EvidenceDocument | null
  readonly nodes: ReadonlyArray<ProofDocument>
}

export const ProofDocument: Schema.Codec<ProofDocument> = Schema.Struct({
  path: Schema.String,
  kind: Schema.Literals(["and", "or", "not", "aged", "leaf"]),
  text: Schema.String,
  truth: Schema.Boolean,
  flips_at: Schema.NullOr(IsoTime),
  flips_to: Schema.NullOr(Schema.Boolean),
  evidence: Schema.NullOr(EvidenceDocument),
  nodes: Schema.Array(Schema.suspend((): Schema.Codec<ProofDocument> => ProofDocument)),
}).annotate({
  identifier: "RuleProof",
  description:
    "a part of a rule, whether it holds for a person, and why. `aged` is the age of the profile that a negative window asks for",
})
