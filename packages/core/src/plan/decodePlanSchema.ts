import { Result } from "effect"
import { isJsonObject, sameJson, type Json, type JsonObject } from "../values/Json.ts"
import { planLevelsMax, planPropertiesMax } from "./planBounds.ts"
import { hasFormat, isPlanFormat, planFormats } from "./planFormats.ts"
import { planTypes, type PlanCheck, type PlanNode, type PlanType } from "./PlanNode.ts"
import { planProblems } from "./planTexts.ts"

/** What is wrong with a plan, as a sentence that begins with the path. */
export type PlanProblem = string

type Decoded<A> = Result.Result<A, PlanProblem>

/** Compiles the schema of a plan. `path` is where it stands in what was sent. Never recurses deeper than `planLevelsMax`. */
export const decodePlanSchema = (schema: Json, path: string): Decoded<PlanNode> => {
  if (!isJsonObject(schema)) return Result.fail(planProblems.notObject({ path }))
  const { type = "object" } = schema
  if (type !== "object") return Result.fail(planProblems.rootType({ path: `${path}.type` }))
  return new SchemaReader().object(schema, path, 1)
}

class SchemaReader {
  private properties = 0

  object(schema: JsonObject, path: string, level: number): Decoded<PlanNode> {
    if (level > planLevelsMax) return Result.fail(planProblems.tooDeep({ path, max: planLevelsMax }))
    const checks: Array<PlanCheck> = []
    let required: ReadonlyArray<string> = []
    let properties: ReadonlyMap<string, PlanNode> = noProperties
    let others: PlanNode["others"] = null
    let items: PlanNode["items"] = null
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${path}.${keyword}`
      switch (keyword) {
        case "required": {
          const keys = readKeys(value, at)
          if (Result.isFailure(keys)) return Result.fail(keys.failure)
          required = keys.success
          break
        }
        case "properties": {
          const read = this.named(value, at, level)
          if (Result.isFailure(read)) return Result.fail(read.failure)
          properties = read.success
          break
        }
        case "additionalProperties":
        case "items": {
          const read = this.sub(value, at, level)
          if (Result.isFailure(read)) return Result.fail(read.failure)
          if (keyword === "items") items = read.success
          else others = read.success
          break
        }
        default: {
          const check = readCheck(keyword, value, path)
          if (Result.isFailure(check)) return Result.fail(check.failure)
          checks.push(check.success)
        }
      }
    }
    return Result.succeed({ checks, required, properties, others, items })
  }

  private named(value: Json, path: string, level: number): Decoded<ReadonlyMap<string, PlanNode>> {
    if (!isJsonObject(value)) return Result.fail(planProblems.notObject({ path }))
    const properties = new Map<string, PlanNode>()
    for (const [name, schema] of Object.entries(value)) {
      if (++this.properties > planPropertiesMax) {
        return Result.fail(planProblems.tooManyProperties({ path, max: planPropertiesMax }))
      }
      const read = this.sub(schema, `${path}.${name}`, level)
      if (Result.isFailure(read)) return Result.fail(read.failure)
      properties.set(name, read.success === "never" ? nothing : (read.success ?? anything))
    }
    return Result.succeed(properties)
  }

  private sub(schema: Json, path: string, level: number): Decoded<PlanNode | "never" | null> {
    if (schema === true) return Result.succeed(null)
    if (schema === false) return Result.succeed("never")
    if (!isJsonObject(schema)) return Result.fail(planProblems.schema({ path }))
    return this.object(schema, path, level + 1)
  }
}

const noProperties: ReadonlyMap<string, PlanNode> = new Map()

/** The schema `true`. */
const anything: PlanNode = { checks: [], required: [], properties: noProperties, others: null, items: null }

/** The schema `false` of a property that is named. */
const nothing: PlanNode = { ...anything, checks: [{ clause: "additionalProperties", holds: () => false }] }

const readKeys = (value: Json, path: string): Decoded<ReadonlyArray<string>> => {
  if (!Array.isArray(value)) return Result.fail(planProblems.keys({ path }))
  const keys: ReadonlyArray<Json> = value
  const texts = keys.filter((key) => typeof key === "string")
  const areKeys = texts.length === keys.length && new Set(texts).size === keys.length
  return areKeys ? Result.succeed(texts) : Result.fail(planProblems.keys({ path }))
}

const keywords = [
  "type",
  "required",
  "properties",
  "items",
  "enum",
  "const",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "format",
  "additionalProperties",
]

const readCheck = (keyword: string, value: Json, path: string): Decoded<PlanCheck> => {
  const at = `${path}.${keyword}`
  switch (keyword) {
    case "type":
      return typeCheck(value, at)
    case "enum": {
      if (!Array.isArray(value) || value.length === 0) return Result.fail(planProblems.values({ path: at }))
      const values: ReadonlyArray<Json> = value
      return Result.succeed({ clause: keyword, holds: memberOf(values) })
    }
    case "const":
      return Result.succeed({ clause: keyword, holds: memberOf([value]) })
    case "minimum":
    case "maximum": {
      if (typeof value !== "number") return Result.fail(planProblems.number({ path: at }))
      const holds: PlanCheck["holds"] =
        keyword === "minimum"
          ? (one) => typeof one !== "number" || one >= value
          : (one) => typeof one !== "number" || one <= value
      return Result.succeed({ clause: keyword, holds })
    }
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems":
      return typeof value === "number" && Number.isInteger(value) && value >= 0
        ? Result.succeed({ clause: keyword, holds: sizeChecks[keyword](value) })
        : Result.fail(planProblems.count({ path: at }))
    case "format":
      if (typeof value !== "string" || !isPlanFormat(value)) {
        return Result.fail(planProblems.format({ path: at, formats: planFormats.join(", ") }))
      }
      return Result.succeed({
        clause: keyword,
        holds: (one) => typeof one !== "string" || hasFormat(value, one),
      })
    default:
      return Result.fail(
        planProblems.unknownKeyword({
          path,
          keyword: JSON.stringify(keyword),
          keywords: keywords.join(", "),
        }),
      )
  }
}

const memberOf = (values: ReadonlyArray<Json>): PlanCheck["holds"] => {
  if (values.every((value) => value === null || typeof value !== "object")) {
    const known = new Set<Json>(values)
    return (one) => known.has(one)
  }
  return (one) => values.some((value) => sameJson(value, one))
}

/** The number of characters, of which a surrogate pair is one. */
export const charactersIn = (text: string): number => {
  let count = text.length
  for (let i = 0; i + 1 < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(i + 1)
    if (next < 0xdc00 || next > 0xdfff) continue
    count--
    i++
  }
  return count
}

const sizeChecks = {
  minLength:
    (min: number): PlanCheck["holds"] =>
    (one) =>
      typeof one !== "string" || charactersIn(one) >= min,
  maxLength:
    (max: number): PlanCheck["holds"] =>
    (one) =>
      typeof one !== "string" || one.length <= max || charactersIn(one) <= max,
  minItems:
    (min: number): PlanCheck["holds"] =>
    (one) =>
      !Array.isArray(one) || one.length >= min,
  maxItems:
    (max: number): PlanCheck["holds"] =>
    (one) =>
      !Array.isArray(one) || one.length <= max,
}

const typeTests: Readonly<Record<PlanType, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  object: isJsonObject,
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
}

const typeCheck = (value: Json, path: string): Decoded<PlanCheck> => {
  const named: ReadonlyArray<Json> = Array.isArray(value) ? value : [value]
  const types = named.flatMap((name) => planTypes.filter((type) => type === name))
  if (types.length === 0 || types.length < named.length || new Set(types).size < types.length) {
    return Result.fail(planProblems.type({ path, types: planTypes.join(", ") }))
  }
  const [first] = types
  const tests = types.map((type) => typeTests[type])
  const holds =
    first !== undefined && types.length === 1
      ? typeTests[first]
      : (one: Json) => tests.some((test) => test(one))
  return Result.succeed({ clause: "type", holds })
}
