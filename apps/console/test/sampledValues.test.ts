import { assert, describe, it } from "vitest"
import { listItems, listsOffered, listText, newCondition } from "../src/pages/segments/rowValues.ts"
import { knownValues, nothingIsNamed, nothingPasses, valuesAt } from "../src/pages/segments/sampledValues.ts"

const sample = {
  of: { one: "page view", many: "page views" },
  items: [
    { path: "/a", items: [{ sku: 1 }, { sku: 2 }] },
    { path: "/a", "dotted.key": true },
    { path: "/b", context: { page: { path: "/p" } } },
  ],
  isWhole: true,
}

const condition = { ...newCondition(0), field: "path" }

describe("what the rule builder offers", () => {
  it.each([
    ["path", false, ["/a", "/a", "/b"]],
    ["items.sku", true, [1, 2]],
    ["items.sku", false, []],
    ["dotted.key", false, [true]],
    ["context.page.path", false, ["/p"]],
    ["missing", false, []],
  ] as const)("reads the values at %s (through lists: %s)", (path, any, values) =>
    assert.deepStrictEqual(
      sample.items.flatMap((item) => valuesAt(item, path, any)),
      [...values],
    ),
  )

  it("counts values", () =>
    assert.deepStrictEqual(knownValues(sample, condition), [
      { value: "/a", count: 2 },
      { value: "/b", count: 1 },
    ]))

  it.each([
    ["eq", "/c", "None of the 3 page views passes this test. path is, for example, /a, /b."],
    ["eq", "/a", undefined],
    ["eq", "", undefined],
    ["contains", "c", "None of the 3 page views passes this test. path is, for example, /a, /b."],
    ["in", "/c, /b", undefined],
    ["within_past", "30d", undefined],
  ] as const)("says whether nothing passes the test %s %s", (operator, value, text) =>
    assert.strictEqual(nothingPasses(sample, { ...condition, operator, value }), text),
  )

  it("says that nothing has a field, and how many were looked at", () => {
    assert.strictEqual(
      nothingPasses({ ...sample, isWhole: false }, { ...condition, field: "total" }),
      "None of the newest 3 page views has total.",
    )
    assert.isUndefined(nothingPasses({ ...sample, items: [] }, condition))
    assert.isUndefined(nothingPasses(undefined, condition))
  })

  it("says that no name fits, and which contain the text", () => {
    const names = [
      { value: "https://shop.example/pricing", count: 3 },
      { value: "https://shop.example/pricing/team", count: 9 },
      { value: "https://shop.example/", count: 50 },
    ]
    assert.deepStrictEqual(nothingIsNamed(names, "/pricing"), {
      near: ["https://shop.example/pricing/team", "https://shop.example/pricing"],
      wider: "*/pricing*",
    })
    assert.deepStrictEqual(nothingIsNamed(names, "/x*"), { near: [], wider: undefined })
    assert.isUndefined(nothingIsNamed(names, "*/pricing"))
    assert.isUndefined(nothingIsNamed([...names, { value: "*" }], "/pricing"))
    assert.isUndefined(nothingIsNamed(undefined, "/pricing"))
  })

  it("reads a list of texts again, whatever is in them", () => {
    for (const items of [["a"], ["a", "b c"], ["Bonn, Germany", 'say "hi"', " x ", "\\", "1"]])
      assert.deepStrictEqual([...listItems(listText(items))], items)
  })
})

describe("what is offered for a list", () => {
  const known = [{ value: "Bonn, Germany", count: 3 }, { value: "Paris" }, { value: 'say "hi"' }]
  const offered = (line: string) => listsOffered(known, line).map(({ value }) => value)

  it("stays one item where a value has a comma", () => {
    assert.deepStrictEqual(offered("bo"), ['"Bonn, Germany"'])
    assert.deepStrictEqual(offered('"Bonn'), ['"Bonn, Germany"'])
    assert.deepStrictEqual(listItems(offered("bo")[0] ?? ""), ["Bonn, Germany"])
  })

  it("keeps the items before, and leaves them out", () => {
    assert.deepStrictEqual(offered("Paris, b"), ['Paris, "Bonn, Germany"'])
    assert.deepStrictEqual(offered('"Bonn, Germany", pa'), ['"Bonn, Germany", Paris'])
    assert.deepStrictEqual(offered("Paris,"), ['Paris, "Bonn, Germany"', String.raw`Paris, "say \"hi\""`])
  })
})
