import { describe, expect, it } from "vitest"
import { withVisibleTexts } from "../src/jsx/visibleTexts.ts"

const reversing = "\u202Egnp.exe"
const visible = String.raw`\u202egnp.exe`

describe("texts of elements in the console", () => {
  it("an element of the console shows an escape instead of a character that reverses text", () => {
    expect(withVisibleTexts({ children: reversing })).toEqual({ children: visible })
    const nested = { type: "b" }
    expect(withVisibleTexts({ children: ["Ada", reversing, nested] })).toEqual({
      children: ["Ada", visible, nested],
    })
  })

  it.each(["title", "aria-label", "placeholder", "alt"])(
    "the attribute %s shows an escape instead of a character that reverses text",
    (name) => {
      expect(withVisibleTexts({ [name]: reversing, children: "Ada" })).toEqual({
        [name]: visible,
        children: "Ada",
      })
      expect(withVisibleTexts({ [name]: reversing })).toEqual({ [name]: visible })
    },
  )

  it("attributes of an element that hold data for scripts and forms are not changed", () => {
    const props = { href: reversing, id: reversing, value: reversing, children: "Ada", title: undefined }
    expect(withVisibleTexts(props)).toBe(props)
  })
})
