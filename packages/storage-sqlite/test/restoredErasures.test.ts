import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareRestored } from "@inlethq/store-conformance/copies/restoredErasures"
import { slowStore } from "./temporary.ts"

it.effect(
  "contract §16 erasure ledger: restored data show nobody whom the newer ledger names",
  comparing(40, (scripts) => compareRestored(slowStore, scripts)),
)
