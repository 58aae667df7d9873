import { assert, describe, it } from "@effect/vitest"
import { emailIn } from "@inlethq/core/values/Identifier"

describe("contract §6 valid email: a text that may be an email", () => {
  it.each([
    [" ada@example.com\n", "ada@example.com"],
    ["\u200Bada@example.com\u00A0\u2060", "ada@example.com"],
    ["\uFEFFada@example.com", "ada@example.com"],
    ["ada@bücher.example", "ada@bücher.example"],
  ])("is trimmed of what nobody sees: %j", (text, email) => assert.strictEqual(emailIn(text), email))

  it.each([
    "ada @example.com",
    "ada@exam\u00A0ple.com",
    "ada\u200B@example.com",
    "ada@exam\u200Dple.com",
    "ada\uFEFF@example.com",
    "ad\uFFFD@example.com",
    "@example.com",
    "ada@",
    "\u200B@\u200B",
  ])("is none with what nobody sees inside: %j", (text) => assert.isNull(emailIn(text)))
})

it("a text that is full of spaces is trimmed in linear time", () => {
  const started = process.cpuUsage()
  assert.isNull(emailIn(`x${" ".repeat(2_000_000)}x`))
  assert.isBelow(process.cpuUsage(started).user / 1000, 1000)
})
