import { assert, it } from "@effect/vitest"
import { digestOf, storedSecret } from "../../src/credentials/Secret.ts"

it.each([
  [48, 8],
  [47, 4],
  [24, 4],
  [23, null],
  [1, null],
] as const)("of a secret of %i characters, %o characters are stored beside its digest", (length, shown) => {
  const secret = Array.from({ length }, (_, n) => "abcdefghijklmnopqrstuvwxyz"[n % 26]).join("")
  const prefix = shown === null ? null : secret.slice(0, shown)
  assert.deepStrictEqual(storedSecret(secret), { digest: digestOf(secret), prefix })
})
