import type { Counted } from "../state/LeafState.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Json } from "../values/Json.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Leaf } from "./Rule.ts"

/** What decided a leaf for a person. */
export type Evidence =
  /** What was counted, newest first. Only as many are remembered as the leaf needs to be decided. */
  | { readonly _tag: "Counted"; readonly counted: ReadonlyArray<Counted> }
  /** The values at the path of a condition. */
  | { readonly _tag: "Values"; readonly path: string; readonly values: ReadonlyArray<Json> }
  /** The identifiers of the kind that the leaf asks for. */
  | { readonly _tag: "Identifiers"; readonly values: ReadonlyArray<string> }
  | { readonly _tag: "Created"; readonly at: EpochMillis }
  /** The tokens of the devices that meet all conditions. */
  | { readonly _tag: "Devices"; readonly tokens: ReadonlyArray<string> }
  /** The related objects that meet all conditions. */
  | {
      readonly _tag: "Objects"
      readonly objects: ReadonlyArray<{ readonly typeId: string; readonly objectId: string }>
    }
  | { readonly _tag: "Membership"; readonly segment: SubjectKey; readonly member: boolean }

/** Why a rule, or a part of one, holds or does not hold for a person at a time. */
export type Proof = {
  /** The place of the part in the rule, as a JSON pointer. The age that a negative window asks for ends in `/aged`. */
  readonly path: string
  readonly holds: boolean
  /** The time at which this part changes by itself, if nothing else happens to the person; null if it never does. */
  readonly flipsAt: EpochMillis | null
} & (
  | { readonly _tag: "And" | "Or" | "Not" | "OldEnough"; readonly parts: ReadonlyArray<Proof> }
  | { readonly _tag: "Leaf"; readonly leaf: Leaf; readonly evidence: Evidence }
)

/** Yields a proof and all its parts, each before its own parts. */
export function* partsOf(proof: Proof): Generator<Proof, void, void> {
  yield proof
  if (proof._tag === "Leaf") return
  for (const part of proof.parts) yield* partsOf(part)
}
