import { describe, expect, it } from "vitest"
import { encodeCall } from "../src/calls/encodeCall.ts"
import type { StandardSchema } from "../src/calls/StandardSchema.ts"

const throwingSchema: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: () => {
      throw new TypeError("properties is undefined")
    },
  },
}

describe("encoding a call", () => {
  it.each(["plain", "é", "€", "😀", 'a\u0000\n"b', "\ud800", "日本語 and ASCII"])(
    "counts the bytes of UTF-8 in the text %j",
    (event) => {
      const encoded = encodeCall(
        { type: "track", userId: "ada", event },
        { schemas: new Map(), bytesMax: 1000 },
      )
      expect(encoded).toMatchObject({ _tag: "Encoded" })
      if (encoded._tag === "Encoded")
        expect(encoded.bytes).toBe(new TextEncoder().encode(encoded.json).length)
    },
  )

  it("rejects a call whose schema throws, and returns the error as the reason", () => {
    expect(
      encodeCall(
        { type: "track", userId: "ada", event: "Paid" },
        { schemas: new Map([["Paid", throwingSchema]]), bytesMax: 1000 },
      ),
    ).toEqual({
      _tag: "Invalid",
      why: {
        code: "schema_threw",
        reason: "the schema threw an error: TypeError: properties is undefined",
      },
    })
  })
})
