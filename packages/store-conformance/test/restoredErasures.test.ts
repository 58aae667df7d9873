import { it } from "@effect/vitest"
import { comparing } from "@inlet/store-conformance/comparing"
import { memoryStore } from "@inlet/store-conformance/differential"
import { compareRestored } from "@inlet/store-conformance/restoredErasures"

it.effect(
  "contract §16 erasure ledger: restored data show nobody whom the newer ledger names",
  comparing(60, (scripts) => compareRestored(memoryStore, scripts)),
)
