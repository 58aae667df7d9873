import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareChains } from "@inlethq/store-conformance/history/compareChains"
import { compareErasedRows } from "@inlethq/store-conformance/history/compareErasedRows"
import { compareFreed } from "@inlethq/store-conformance/history/compareFreed"
import {
  compareErasures,
  compareRestoredMerges,
  compareRoundTrips,
  compareUnmerges,
} from "@inlethq/store-conformance/history/compareUnmerge"
import { slowStore } from "./temporary.ts"

it.effect.each([
  ["undoing a merge at once leaves everybody as they were", compareRoundTrips],
  ["undoing a merge after random work gives what the model says", compareUnmerges],
  ["deleting a person who was merged in between erases all of their values", compareErasures],
  ["merges of merged people and deletions leave what the model says", compareChains],
  ["deleting by an identifier that a merge freed leaves nothing of the merged person", compareFreed],
  ["contract §16 erasure receipts: a receipt counts everything that a deletion erases", compareErasedRows],
  ["a backup from while a person was merged brings back nothing of theirs", compareRestoredMerges],
] as const)("%s, on the SQLite store", ([, compare]) =>
  comparing(30, (scripts) => compare(slowStore, scripts))(),
)
