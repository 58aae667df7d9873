import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import * as Cursor from "../src/values/Cursor.ts"

const cursors: Record<string, Schema.Codec<number, string>> = {
  people: Cursor.PersonCursor,
  activity: Cursor.ActivityCursor,
  workspaces: Cursor.WorkspaceCursor,
  objects: Cursor.ObjectCursor,
  segments: Cursor.SegmentCursor,
  forms: Cursor.FormCursor,
  deliveries: Cursor.DeliveryCursor,
}

const places = [1, 35, 36, 1000, 999_999_999_999_999]

describe("management cursor", () => {
  it.effect("a cursor is decoded to its position, and a cursor of another list is rejected", () =>
    Effect.gen(function* () {
      for (const [list, cursor] of Object.entries(cursors)) {
        for (const place of places) {
          const text = yield* Schema.encodeUnknownEffect(cursor)(place)
          assert.strictEqual(yield* Schema.decodeEffect(cursor)(text), place, `${list} ${text}`)
          for (const [other, stranger] of Object.entries(cursors)) {
            if (other === list) continue
            const read = yield* Effect.exit(Schema.decodeEffect(stranger)(text))
            assert.isTrue(Exit.isFailure(read), `${text} of ${list} among ${other}`)
          }
        }
      }
    }),
  )

  it.effect("a cursor of the list of keys is decoded to the creation time and id of a key", () =>
    Effect.gen(function* () {
      for (const place of [
        { createdAt: 0, keyId: "k" },
        { createdAt: 1_700_000_000_000, keyId: "a.b.c" },
      ]) {
        const text = yield* Schema.encodeEffect(Cursor.KeyCursor)(place)
        assert.deepStrictEqual(yield* Schema.decodeEffect(Cursor.KeyCursor)(text), place)
      }
    }),
  )

  it.effect("the management API rejects a malformed cursor", () =>
    Effect.gen(function* () {
      for (const [list, cursor] of Object.entries(cursors)) {
        for (const text of ["", "0", "w0", "s0", "s01", "s-1", "s1 ", "f1.5", "d1e3", "d9999999999999999"]) {
          const read = yield* Effect.exit(Schema.decodeEffect(cursor)(text))
          assert.isTrue(Exit.isFailure(read), `${text} among ${list}`)
        }
      }
    }),
  )
})
