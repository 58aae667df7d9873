import { describe, it } from "@effect/vitest"
import * as MemorySignedOutSessions from "@inlet/storage-memory/signedOutSessions"
import { sessionLaws } from "@inlet/store-conformance/sessionLaws"
import { Effect } from "effect"

describe("the signed-out sessions in memory", () => {
  for (const { check, name } of sessionLaws) {
    it.effect(name, () => Effect.provide(check, MemorySignedOutSessions.layer, { local: true }))
  }
})
