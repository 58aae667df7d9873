import { describeLeaf, type SegmentName } from "@inlethq/core/rule/describeLeaf"
import type { Evidence, Proof } from "@inlethq/core/rule/Proof"
import type { Leaf } from "@inlethq/core/rule/Rule"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { pathInBrand, type WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { isoTimeOrNull } from "@inlethq/contract/values/IsoTime"
import type { EvidenceDocument, ProofDocument } from "@inlethq/contract/segments/RuleProof"

/** The largest number of counted operations that the explanation of one leaf lists. */
const countedShownMax = 20

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
