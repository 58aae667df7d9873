import { it } from "@effect/vitest"
import { comparing } from "@inlet/store-conformance/comparing"
import { compareRules } from "@inlet/store-conformance/segments/compareRules"
import { slowStore } from "./temporary.ts"

it.effect(
  "rules have the same effects on the SQLite store and on the memory store, however commands are batched",
  comparing(60, (scripts) => compareRules(slowStore, scripts)),
)
