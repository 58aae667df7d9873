import { describeLeaf, type SegmentName } from "@inlet/core/rule/describeLeaf"
import type { Evidence, Proof } from "@inlet/core/rule/Proof"
import type { Leaf } from "@inlet/core/rule/Rule"
import type { Sequence } from "@inlet/core/values/Identifier"
import { toIso, type EpochMillis } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"
import { pathInBrand, type WrittenBrand } from "../texts/WrittenBrand.ts"
import { IsoTime, isoTimeOrNull } from "./IsoTime.ts"

/** The largest number of counted operations that the explanation of one leaf lists. */
const countedShownMax = 20

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
const EvidenceDocument = Schema.Union([
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
type EvidenceDocument = typeof EvidenceDocument.Type

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

/** What the documents of a proof need besides the proof. */
export interface ProofContext {
  readonly brand: WrittenBrand
  readonly segmentName: SegmentName
  /** Returns the id of the operation at a log position. */
  readonly operationAt: (position: Sequence) => string | null
  /** Returns the id of the operation that last changed a field of the person. */
  readonly changedBy: (path: string) => string | null
  /** Returns the receipt time before which a leaf counts nothing. */
  readonly countedFrom: (leaf: Leaf) => EpochMillis | null
}

export const proofDocument = (proof: Proof, context: ProofContext): ProofDocument => {
  const { flipsAt, holds: truth, path } = proof
  const shared = { path, truth, flips_at: isoTimeOrNull(flipsAt), flips_to: flipsAt === null ? null : !truth }
  if (proof._tag === "Leaf") {
    const { evidence, leaf } = proof
    const text = describeLeaf(leaf, context.segmentName)
    return { ...shared, kind: "leaf", text, evidence: evidenceDocument(evidence, leaf, context), nodes: [] }
  }
  const nodes = proof.parts.map((part) => proofDocument(part, context))
  return { ...shared, ...partTexts[proof._tag], evidence: null, nodes }
}

const partTexts = {
  And: { kind: "and", text: "all of these" },
  Or: { kind: "or", text: "any of these" },
  Not: { kind: "not", text: "not" },
  OldEnough: { kind: "aged", text: "both of these" },
} as const

const evidenceDocument = (evidence: Evidence, leaf: Leaf, context: ProofContext): EvidenceDocument => {
  switch (evidence._tag) {
    case "Counted":
      return {
        type: "counted",
        needed: "count" in leaf ? leaf.count : { operator: "gte", n: 1 },
        times: evidence.counted.length,
        operations: evidence.counted.slice(0, countedShownMax).map(({ at, position }) => ({
          operation_id: context.operationAt(position),
          at: toIso(at),
        })),
        counted_from: isoTimeOrNull(context.countedFrom(leaf)),
      }
    case "Values":
      return {
        type: "values",
        path: pathInBrand(context.brand, evidence.path),
        values: evidence.values,
        operation_id: context.changedBy(evidence.path),
      }
    case "Identifiers":
      return { type: "identifiers", values: evidence.values }
    case "Created":
      return { type: "created", created_at: toIso(evidence.at) }
    case "Devices":
      return { type: "devices", tokens: evidence.tokens }
    case "Objects":
      return {
        type: "objects",
        objects: evidence.objects.map(({ objectId, typeId }) => ({
          object_type_id: typeId,
          object_id: objectId,
        })),
      }
    case "Membership":
      return { type: "segment", segment_id: evidence.segment, member: evidence.member }
  }
}

/** Returns the log positions of the operations that a proof shows. */
export const positionsShown = (evidence: Evidence): ReadonlyArray<Sequence> =>
  evidence._tag === "Counted"
    ? evidence.counted.slice(0, countedShownMax).map(({ position }) => position)
    : []
