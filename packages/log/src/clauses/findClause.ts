import { clauses } from "./generated.ts"
import type { Clause } from "./Clause.ts"

const byName = new Map(clauses.map((clause) => [clause.rule, clause]))

/** Returns the clause with this name, or undefined if the name is unknown. */
export const findClause = (name: string): Clause | undefined => byName.get(name)
