import { assert, it } from "@effect/vitest"
import { isPlaceholder } from "@inlethq/core/values/placeholder"

const placeholders =
  "undefined,null,nil,none,NaN,0,-1,[object Object],anonymous,guest,unknown,true,false".split(",")

it("contract §6 placeholders: placeholders are known in any case", () => {
  for (const text of placeholders.flatMap((word) => [word, word.toLowerCase(), word.toUpperCase()])) {
    assert.isTrue(isPlaceholder(text), text)
  }
})

it("identifiers that only begin like a placeholder are none", () => {
  for (const text of ["", "00", "nulls", "user1", "guest1", "-10", "[object Map]", "falsehood"]) {
    assert.isFalse(isPlaceholder(text), text)
  }
})
