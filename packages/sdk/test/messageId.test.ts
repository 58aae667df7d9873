import { expect, it } from "vitest"
import { newMessageId } from "../src/messageId.ts"

it("message ids are distinct UUIDs of version 7, and ids of a later time are greater", () => {
  const now = Date.UTC(2026, 0, 1)
  const ids = Array.from({ length: 1000 }, (_, ms) => [newMessageId(now + ms), newMessageId(now + ms)]).flat()
  expect(new Set(ids).size).toBe(2000)
  for (const id of ids)
    expect(id).toMatch(/^019b[\da-f]{4}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  const times = ids.map((id) => Number.parseInt(id.slice(0, 13).replace("-", ""), 16))
  expect(times).toEqual(ids.map((_, at) => now + Math.floor(at / 2)))
})
