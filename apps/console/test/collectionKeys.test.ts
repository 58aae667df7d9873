import { hashKey, matchQuery, QueryClient } from "@tanstack/react-query"
import { describe, expect, it } from "vitest"
import { collectionKeys } from "../src/api/collectionKeys.ts"

const { all, list, one } = collectionKeys("segments")

describe("the keys of a collection", () => {
  it("are another for a list that is searched for the id of an item", () => {
    expect(hashKey(list("1", "3"))).not.toBe(hashKey(one("1", "3")))
    expect(hashKey(list("1", "one"))).not.toBe(hashKey(one("1", "list")))
  })

  it("begin alike, so that a change makes all of them outdated", () => {
    const cache = new QueryClient().getQueryCache()
    for (const key of [list("1", undefined), list("1", "q"), one("1", "3"), one("1", "3", "people")]) {
      const query = cache.build(new QueryClient(), { queryKey: key })
      expect(matchQuery({ queryKey: all("1") }, query)).toBe(true)
      expect(matchQuery({ queryKey: one("1", "3") }, query)).toBe(key.length >= 4 && key[2] === "one")
    }
  })
})
