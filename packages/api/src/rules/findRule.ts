import { rules } from "./generated.ts"
import type { Rule } from "./Rule.ts"

const byName = new Map(rules.map((rule) => [rule.rule, rule]))

/** Returns the rule of this name; undefined for an unknown one. */
export const findRule = (name: string): Rule | undefined => byName.get(name)
