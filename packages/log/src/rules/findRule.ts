import { rules } from "./generated.ts"
import type { Rule } from "./Rule.ts"

const byName = new Map(rules.map((rule) => [rule.rule, rule]))

/** Returns the rule with this name, or undefined if the name is unknown. */
export const findRule = (name: string): Rule | undefined => byName.get(name)
