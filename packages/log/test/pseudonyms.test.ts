import { createHmac } from "node:crypto"
import { isJsonObject } from "@inlethq/core/values/Json"
import { describe, expect, it } from "vitest"
import { Pseudonyms } from "../src/trial/Pseudonyms.ts"

const withKey = (key: string): Pseudonyms =>
  new Pseudonyms((text) => createHmac("sha256", key).update(text).digest())

describe("pseudonyms", () => {
  it("depend on every byte of the digest, so that nobody can try what few bits would give", () => {
    const made = Array.from({ length: 16 }, (_, at) => {
      const bytes = new Uint8Array(32)
      bytes[at] = 1
      return new Pseudonyms(() => bytes).structure("ada.lovelace.of.london", "")
    })
    expect(new Set(made).size).toBe(16)
  })

  it("are the same for one text in any case, and have its shape", () => {
    const pseudonyms = withKey("key")
    const small = pseudonyms.structure("ada-é7@x.example", "")
    expect(small).toMatch(/^[a-z]{3}-[à-þ]\d@[a-z]\.[a-z]{7}$/)
    expect(pseudonyms.structure("ADA-É7@x.EXAMPLE", "")).not.toBe(small)
    expect(String(pseudonyms.structure("ADA-É7@x.EXAMPLE", "")).toLowerCase()).toBe(small)
  })

  it("of times are other times, and what only begins as one is text", () => {
    const pseudonyms = withKey("key")
    const made = pseudonyms.structure("2026-05-22T10:00:00.123Z", "")
    expect(made).not.toBe("2026-05-22T10:00:00.123Z")
    expect(Number.isNaN(Date.parse(String(made)))).toBe(false)
    expect(pseudonyms.structure("2026-05-22 Ada was born", "")).not.toContain("Ada")
  })

  it.each([42, 4_915_112_345_678, 1_767_225_600, 1_767_225_600_123, 6.5, -78.125, 1.25e22, 2 ** 53])(
    "of the number %d is another one with as many digits",
    (value) => {
      const made = withKey("key").structure({ data: value }, "")
      const data = isJsonObject(made) ? Number(made["data"]) : NaN
      expect(data).not.toBe(value)
      expect(String(data).length).toBe(String(value).length)
      expect(Math.sign(data)).toBe(Math.sign(value))
    },
  )
})
