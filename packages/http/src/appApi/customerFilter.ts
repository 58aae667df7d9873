import { decodeRule } from "@inlethq/core/rule/decodeRule"
import type { Rule } from "@inlethq/core/rule/Rule"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { Effect, Result } from "effect"
import { type AppRefused, refuse } from "./AppAnswer.ts"
import { quoted } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"

/** What the leaves of a filter look like, and how each is read as a leaf of a rule. */
interface FilterLanguage {
  readonly leaves: Readonly<
    Record<string, (leaf: JsonObject, path: string) => Result.Result<Json, WrongPart>>
  >
}

interface WrongPart {
  readonly path: string
  readonly problem: string
}

const wrong = (path: string, problem: string) => Result.fail<WrongPart>({ path, problem })

/** Returns the condition of a leaf. A value beside `exists` says nothing. */
const conditionOf = (leaf: JsonObject, path: string): Result.Result<JsonObject, WrongPart> => {
  const { field = null, operator, value } = leaf
  if (operator !== "eq" && operator !== "exists") return wrong(`${path}.operator`, appTexts.wrongOperator())
  return Result.succeed({
    field,
    operator,
    ...(operator === "eq" && value !== undefined && { value }),
  })
}

const people: FilterLanguage = {
  leaves: {
    segment: (segment) => Result.succeed({ segment }),
    attribute: (leaf, path) => Result.map(conditionOf(leaf, path), (attribute) => ({ attribute })),
  },
}

/** Reads a filter as a rule: `and`, `or`, `not`, and the leaves of a language. */
const translate = (
  value: Json | undefined,
  path: string,
  language: FilterLanguage,
): Result.Result<Json, WrongPart> =>
  Result.gen(function* () {
    const names = ["and", "or", "not", ...Object.keys(language.leaves)]
    const [key, ...others] = isJsonObject(value) ? Object.keys(value) : []
    if (!isJsonObject(value) || key === undefined || others.length > 0 || !names.includes(key)) {
      return yield* wrong(path, appTexts.oneProperty({ names: quoted(names) }))
    }
    const inside = value[key]
    const at = `${path}.${key}`
    if (key === "not") return { not: yield* translate(inside, at, language) }
    if (key === "and" || key === "or") {
      if (!Array.isArray(inside)) return { [key]: inside ?? null }
      const parts: Array<Json> = []
      for (const [i, part] of inside.entries()) parts.push(yield* translate(part, `${at}.${i}`, language))
      return { [key]: parts }
    }
    const leaf = language.leaves[key]
    return leaf === undefined || !isJsonObject(inside) ? { [key]: inside ?? null } : yield* leaf(inside, at)
  })

const ruleOf = (
  filter: Json | undefined,
  name: string,
  language: FilterLanguage,
): Effect.Effect<Rule, AppRefused> => {
  const translated = translate(filter, name, language)
  if (Result.isFailure(translated)) {
    return Effect.fail(refuse(400, appTexts.wrongFilter(translated.failure)))
  }
  const decoded = decodeRule(translated.success)
  if (Result.isSuccess(decoded)) return Effect.succeed(decoded.success)
  const { message, path } = decoded.failure
  return Effect.fail(
    refuse(400, appTexts.wrongFilter({ path: name + path.replaceAll("/", "."), problem: message })),
  )
}

/** Reads a filter of people, the part of the rule language that the hosted service has. `name` is that of its field. */
export const customerFilter = (filter: Json | undefined, name: string): Effect.Effect<Rule, AppRefused> =>
  ruleOf(filter, name, people)

/** Reads a filter of objects of one type as a rule whose attributes are those of an object. */
export const objectFilter = (
  filter: Json | undefined,
  name: string,
  typeId: string,
): Effect.Effect<Rule, AppRefused> =>
  ruleOf(filter, name, {
    leaves: {
      object_attribute: (leaf, path) => {
        const given = leaf["type_id"] ?? typeId
        return String(given) === typeId
          ? Result.map(conditionOf(leaf, path), (attribute) => ({ attribute }))
          : wrong(`${path}.type_id`, appTexts.otherType({ type: typeId }))
      },
    },
  })
