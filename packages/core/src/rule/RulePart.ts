import { Result, Schema, type SchemaAST } from "effect"
import { exceedsBytes, isJsonObject, type Json, type JsonObject } from "../values/Json.ts"
import { readTimeOfAnyYear, type EpochMillis } from "../values/Timestamp.ts"
import { nearest, type RuleFault } from "./RuleFault.ts"
import { durationMsMax, durationMsMin, durationUnits, ruleTextBytesMax } from "./ruleBounds.ts"
import { ruleTexts } from "./ruleTexts.ts"

export type Read<A> = Result.Result<A, RuleFault>

/** A value in a rule as JSON, and where it is. Its methods read it as what it must be. */
export class RulePart {
  readonly value: Json | undefined
  readonly path: string

  constructor(value: Json | undefined, path: string) {
    this.value = value
    this.path = path
  }

  fault(message: string): Read<never> {
    return Result.fail({ path: this.path, message })
  }

  get isAbsent(): boolean {
    return this.value === undefined
  }

  /** Returns the value of a key, which may be absent. */
  at(key: string): RulePart {
    const { value: parent } = this
    const value = isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined
    return new RulePart(value, `${this.path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)
  }

  /** Reads an object that has no other keys than `keys`, which are those of the schema unless they are given. */
  object(schema: Schema.Top, keys = keysOf(schema.ast)): Read<JsonObject> {
    const { value } = this
    const { otherNames, ruleExample = "" } = Schema.resolveAnnotations(schema) ?? {}
    if (!isJsonObject(value)) return this.fault(ruleTexts.notObject(ruleExample))
    for (const key of Object.keys(value)) {
      if (keys.includes(key)) continue
      return this.at(key).fault(ruleTexts.unknown("key", key, keys, nearest(key, keys, otherNames)))
    }
    return Result.succeed(value)
  }

  /** Reads an array of at least one value and at most `max`. */
  array(what: string, max: number): Read<ReadonlyArray<RulePart>> {
    const { value } = this
    if (!Array.isArray(value)) return this.fault(ruleTexts.notArray(`${what}s`))
    if (value.length === 0) return this.fault(ruleTexts.empty(what))
    if (value.length > max) return this.fault(ruleTexts.tooMany(`${what}s`, max))
    return Result.succeed(value.map((item, i) => new RulePart(item, `${this.path}/${i}`)))
  }

  text(): Read<string> {
    const { value } = this
    if (typeof value !== "string" || value === "") return this.fault(ruleTexts.notText)
    if (exceedsBytes(value, ruleTextBytesMax)) return this.fault(ruleTexts.textTooLong(ruleTextBytesMax))
    return Result.succeed(value)
  }

  /** Reads one of a closed set of words. */
  word<Word extends string>(what: string, schema: Schema.Literals<ReadonlyArray<Word>>): Read<Word> {
    const { value } = this
    const words = schema.literals
    const known = words.find((word) => word === value)
    if (known !== undefined) return Result.succeed(known)
    const word = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
    const otherNames = Schema.resolveAnnotations(schema)?.otherNames
    return this.fault(ruleTexts.unknown(what, word, words, nearest(word, words, otherNames)))
  }

  boolean(): Read<boolean> {
    const { value } = this
    return typeof value === "boolean" ? Result.succeed(value) : this.fault(ruleTexts.notBoolean)
  }

  integer(min: number, max: number): Read<number> {
    const { value } = this
    return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
      ? Result.succeed(value)
      : this.fault(ruleTexts.notInteger(min, max))
  }

  /** Reads a time, as the Track API reads times. */
  instant(): Read<EpochMillis> {
    const at = readTimeOfAnyYear(this.value)
    return at === undefined ? this.fault(ruleTexts.notInstant) : Result.succeed(at)
  }

  /** Reads a duration such as `30d`, in milliseconds. */
  duration(): Read<number> {
    const match = typeof this.value === "string" ? duration.exec(this.value) : null
    if (match === null) return this.fault(ruleTexts.notDuration)
    const [, number, letter] = match
    const unit = letter === "m" || letter === "h" || letter === "d" ? letter : "w"
    const ms = Number(number) * durationUnits[unit]
    return ms >= durationMsMin && ms <= durationMsMax
      ? Result.succeed(ms)
      : this.fault(ruleTexts.durationBounds)
  }
}

const duration = /^(\d{1,9})([mhdw])$/

/** Returns the keys of an object, or of objects of which a value is one. */
const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.map(({ name }) => String(name))
    case "Union":
      return [...new Set(ast.types.flatMap(keysOf))]
    default:
      return []
  }
}
