import { createInlet } from "@inlethq/testing"
import { expect, it } from "vitest"

const seed = [
  { type: "identify", userId: "ada" },
  { type: "track", userId: "ada", event: "bought" },
] as const

it("people leave a segment in the emulator when the clock moves", async () => {
  await using inlet = await createInlet({ seed })
  const buyers = await inlet.createSegment("Buyers", { event: { name: "bought", within: "2h" } })
  await inlet.expectPerson({ id: "ada" }, { segments: [buyers] })
  inlet.advance(2 * 60 * 60 * 1000)
  await inlet.expectPerson({ id: "ada" }, { segments: [] })
})

it("a rule that is not valid is refused by the emulator with its fault", async () => {
  await using inlet = await createInlet()
  await expect(inlet.createSegment("Buyers", { event: { nam: "bought" } })).rejects.toThrow(
    /did you mean `name`/,
  )
})
