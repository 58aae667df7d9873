import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareHistory } from "@inlethq/store-conformance/history/compareHistory"
import { slowStore } from "./temporary.ts"

it.effect(
  "the entries of people lead back to the document at every position, on the SQLite store",
  comparing(40, (scripts) => compareHistory(slowStore, scripts)),
)
