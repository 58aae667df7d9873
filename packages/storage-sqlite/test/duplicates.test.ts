import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareDuplicates } from "@inlethq/store-conformance/history/compareDuplicates"
import { slowStore } from "./temporary.ts"

it.effect(
  "a pair of people is listed exactly if an operation names both, on the SQLite store",
  comparing(40, (scripts) => compareDuplicates(slowStore, scripts)),
)
