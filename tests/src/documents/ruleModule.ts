import type { Rule } from "@inlethq/log/rules/Rule"

const header = `import type { Rule } from "./Rule.ts"

// Made from docs/contract.md and docs/references.md by \`pnpm generate\`.

export const rules: ReadonlyArray<Rule> = [
`

/** Returns the source of the TypeScript module that contains all rules, one on each line. */
export const ruleModule = (rules: ReadonlyArray<Rule>): string =>
  `${header}${rules
    .map(({ rule, text, title, url }) => `  ${JSON.stringify({ rule, title, text, url })},\n`)
    .join("")}]\n`
