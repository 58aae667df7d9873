import type { Proof } from "@inlethq/core/rule/Proof"
import type { Count } from "@inlethq/core/rule/Rule"
import { isTrue } from "@inlethq/core/values/flags"
import { meets } from "./naiveConditions.ts"

/** Decides a proof again, from its evidence alone. */
export const reevaluate = (proof: Proof, now: number): boolean => {
  switch (proof._tag) {
    case "And":
    case "OldEnough":
      return proof.parts.every((part) => reevaluate(part, now))
    case "Or":
      return proof.parts.some((part) => reevaluate(part, now))
    case "Not":
      return !proof.parts.some((part) => reevaluate(part, now))
    case "Leaf":
      return reevaluateLeaf(proof, now)
  }
}

const reevaluateLeaf = (
  { evidence, holds, leaf }: Extract<Proof, { readonly _tag: "Leaf" }>,
  now: number,
): boolean => {
  switch (evidence._tag) {
    case "Counted":
      return "count" in leaf && satisfies(leaf.count, evidence.counted.length)
    case "Values":
      if (leaf._tag === "HasAttribute") {
        const condition = { ...leaf.condition, field: "value", any: false }
        return evidence.values.some((value) =>
          meets(
            { value: leaf.condition.field === "email" ? String(value).toLowerCase() : value },
            condition,
            now,
          ),
        )
      }
      if (leaf._tag === "Subscribed") {
        return evidence.values.some((value) => isTrue(value) === leaf.value)
      }
      return leaf._tag === "Unsubscribed" && isTrue(evidence.values[0]) === leaf.value
    case "Identifiers":
      return evidence.values.length > 0
    case "Created":
      return leaf._tag === "Aged" && now - evidence.at >= leaf.ms === (leaf.operator === "gte")
    case "Devices":
      return evidence.tokens.length > 0
    case "Objects":
      return leaf._tag === "Related" && satisfies(leaf.count, evidence.objects.length)
    case "Membership":
      return evidence.member && holds
  }
}

const satisfies = ({ n, operator }: Count, times: number): boolean =>
  operator === "gte" ? times >= n : operator === "lte" ? times <= n : times === n
