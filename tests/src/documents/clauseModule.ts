import type { Clause } from "@inlethq/log/clauses/Clause"

const header = `import type { Clause } from "./Clause.ts"

// Made from docs/contract.md and docs/references.md by \`pnpm generate\`.

export const clauses: ReadonlyArray<Clause> = [
`

/** Returns the source of the TypeScript module that contains all clauses, one on each line. */
export const clauseModule = (clauses: ReadonlyArray<Clause>): string =>
  `${header}${clauses
    .map(({ rule, text, title, url }) => `  ${JSON.stringify({ rule, title, text, url })},\n`)
    .join("")}]\n`
