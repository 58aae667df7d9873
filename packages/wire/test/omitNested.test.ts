import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { restOfUnknown } from "../src/decoding/omitted.ts"
import { readJson } from "../src/decoding/readJson.ts"
import { workspace } from "./requests.ts"

const omitting = { ...workspace, omit: ["traits.ssn"] }

/** Returns batches within batches, around a call. */
const nested = (levels: number): string =>
  `${'{"batch":['.repeat(levels)}{"traits":{"ssn":"secret","plan":"pro"}}${"]}".repeat(levels)}`

describe("contract §13 omit: batches within batches", () => {
  it("leaves values out of as many levels as are kept", () => {
    const { omitted, rest } = restOfUnknown(omitting, Result.getOrThrow(readJson(nested(40))))
    assert.deepStrictEqual(omitted, ["traits.ssn"])
    assert.strictEqual(JSON.stringify(rest), nested(40).replace('"ssn":"secret",', ""))
  })

  it("does not recurse into as many levels as a body can have", () => {
    assert.doesNotThrow(() => restOfUnknown(omitting, Result.getOrThrow(readJson(nested(40_000)))))
  })
})
