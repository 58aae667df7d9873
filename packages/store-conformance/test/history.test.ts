import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { compareHistory } from "@inlethq/store-conformance/history/compareHistory"

it.effect(
  "the entries of people lead back to the document at every position, on the memory store",
  comparing(60, (scripts) => compareHistory(memoryStore, scripts)),
)
