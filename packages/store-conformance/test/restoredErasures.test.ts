import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { compareRestored } from "@inlethq/store-conformance/copies/restoredErasures"

it.effect(
  "contract §16 erasure ledger: restored data show nobody whom the newer ledger names",
  comparing(60, (scripts) => compareRestored(memoryStore, scripts)),
)
