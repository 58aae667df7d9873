import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { compareRules } from "@inlethq/store-conformance/segments/compareRules"

it.effect(
  "rules have the same effects however commands are batched",
  comparing(100, (scripts) => compareRules(memoryStore, scripts)),
)
