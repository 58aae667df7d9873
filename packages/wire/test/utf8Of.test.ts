import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { utf8Of } from "../src/csv/utf8Of.ts"

const converted = (bytes: Uint8Array, length: number) => {
  const parts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  )
  return Effect.map(Stream.runCollect(utf8Of(Stream.fromIterable(parts))), (found) =>
    Buffer.concat([...found]).toString("utf8"),
  )
}

const text = "id;name\nada;Łódź 🚀\n"
const little = Buffer.from(`\uFEFF${text}`, "utf16le")
const big = Buffer.from(little).swap16()

it.effect("contract §13: an uploaded file in UTF-16 is read as UTF-8, in whichever parts it arrives", () =>
  Effect.gen(function* () {
    for (const length of [1, 2, 3, 7, 100]) {
      assert.strictEqual(yield* converted(little, length), text)
      assert.strictEqual(yield* converted(big, length), text)
      assert.strictEqual(yield* converted(Buffer.from(text), length), text)
    }
    assert.strictEqual(yield* converted(Buffer.from(""), 1), "")
    assert.strictEqual(yield* converted(Buffer.from("i"), 1), "i")
  }),
)
