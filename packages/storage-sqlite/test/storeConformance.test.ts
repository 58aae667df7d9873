import { fullOfSignIns } from "@inlethq/store-conformance/tables/sessionLaws"
import { storeConformance } from "@inlethq/store-conformance/StoreConformance"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { slowStore, temporaryStore } from "./temporary.ts"

describe("the SQLite store", () => {
  for (const { check, name } of [...storeConformance, fullOfSignIns]) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})

describe("the SQLite store on a slow disk", () => {
  for (const { check, name } of storeConformance) {
    it.effect(name, () => Effect.provide(check, slowStore, { local: true }))
  }
})
