import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { checkMembership } from "@inlethq/store-conformance/segments/checkMembership"
import { compareRules } from "@inlethq/store-conformance/segments/compareRules"
import { slowStore } from "./temporary.ts"

it.effect(
  "rules have the same effects on the SQLite store and on the memory store, however commands are batched",
  comparing(60, (scripts) => compareRules(slowStore, scripts)),
)

it.effect(
  "exactly the people are in a segment on the SQLite store for whom its rule holds, and entries tell so",
  comparing(30, (scripts) => checkMembership(slowStore, scripts)),
)
