import { it } from "@effect/vitest"
import { comparing } from "@inlet/store-conformance/comparing"
import { compareRestored } from "@inlet/store-conformance/restoredErasures"
import { slowStore } from "./temporary.ts"

it.effect(
  "contract §16 erasure ledger: restored data show nobody whom the newer ledger names",
  comparing(40, (scripts) => compareRestored(slowStore, scripts)),
)
