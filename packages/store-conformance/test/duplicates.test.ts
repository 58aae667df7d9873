import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { compareDuplicates } from "@inlethq/store-conformance/history/compareDuplicates"

it.effect(
  "a pair of people is listed exactly if an operation names both, on the memory store",
  comparing(60, (scripts) => compareDuplicates(memoryStore, scripts)),
)
