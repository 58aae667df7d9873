import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { compareChains } from "@inlethq/store-conformance/history/compareChains"
import { compareErasedRows } from "@inlethq/store-conformance/history/compareErasedRows"
import {
  compareErasures,
  compareRestoredMerges,
  compareRoundTrips,
  compareUnmerges,
} from "@inlethq/store-conformance/history/compareUnmerge"

it.effect.each([
  ["undoing a merge at once leaves everybody as they were, on the memory store", compareRoundTrips],
  ["undoing a merge after random work gives what the model says", compareUnmerges],
  [
    "deleting a person who was merged in between erases all of their values, on the memory store",
    compareErasures,
  ],
  [
    "contract §16 erasure ledger: a backup from while a person was merged brings back nothing of theirs",
    compareRestoredMerges,
  ],
  [
    "contract §6 delete of a merged person: merges of merged people and deletions leave what the model says",
    compareChains,
  ],
  ["contract §16 erasure receipts: a receipt counts everything that a deletion erases", compareErasedRows],
] as const)("%s", ([, compare]) => comparing(200, (scripts) => compare(memoryStore, scripts))())
