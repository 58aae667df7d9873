import { readFileSync } from "node:fs"
import { parseFilter } from "@inlethq/log/filter/parseFilter"
import { Result } from "effect"
import { expect, it } from "vitest"

const page = readFileSync(new URL("../../../docs/filters.md", import.meta.url), "utf8")

const examples = [
  ...page.matchAll(/^\| `([^|]*)` \| (?:entries|events|page views|operations|everything)/gm),
].map(([, filter = ""]) => filter)

it("docs/filters.md has an example for each row of its first table", () => expect(examples.length).toBe(15))

it.each(examples)("docs/filters.md shows only valid filters: %s", (filter) =>
  expect(Result.isSuccess(parseFilter(filter))).toBe(true),
)
