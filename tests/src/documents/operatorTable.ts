import { operators, type Takes } from "@inlethq/core/rule/operators"

/** What operators take, as the page about segments says it. */
const given: Readonly<Record<Takes, string>> = {
  scalar: "text, a number, true or false",
  scalars: "a list of texts, numbers, true or false",
  number: "a number, or text that spells one",
  text: "text",
  nothing: "none",
  instant: "a time",
  duration: "a duration",
}

const header = "| operator | says | value |\n|---|---|---|\n"

/** Returns the page about segments with the table of operators that rules have. */
export const withOperators = (page: string): string => {
  const [before = "", after = ""] = page.split(header)
  const end = after.search(/^(?!\|)/m)
  const rows = Object.entries(operators).map(
    ([name, { says, takes }]) => `| \`${name}\` | ${says} | ${given[takes]} |\n`,
  )
  return `${before}${header}${rows.join("")}${after.slice(end)}`
}
