import { assert, describe, it } from "@effect/vitest"
import { fits, misfitsIn } from "@inlethq/core/plan/checkValue"
import { decodePlanSchema } from "@inlethq/core/plan/decodePlanSchema"
import { decodePlans } from "@inlethq/core/plan/decodePlans"
import { noPlans } from "@inlethq/core/plan/Plan"
import { planBytesMax, planLevelsMax, planPropertiesMax, plansMax } from "@inlethq/core/plan/planBounds"
import type { PlanNode } from "@inlethq/core/plan/PlanNode"
import { stripValue, type Stripped } from "@inlethq/core/plan/stripValue"
import { toEnd } from "@inlethq/core/Slices"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Arbitrary, Result } from "effect"
import { propertyOptions } from "./propertyOptions.ts"
import { oneOf } from "./scripts.ts"

const keys = ["a", "b", "constructor", "ünï", "a.b"]
const scalars: ReadonlyArray<Json> = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2,
  "",
  "a",
  "ab",
  "😀",
  "\ud83d",
  "EUR",
]

/** A stream of small numbers from which a schema or a value is built, so that one builder makes both deep and shallow ones. */
const choices = Arbitrary.array(oneOf(...Array.from({ length: 31 }, (_, n) => n)), {
  minLength: 0,
  maxLength: 80,
})

class Chooser {
  private at = 0
  private readonly given: ReadonlyArray<number>

  constructor(given: ReadonlyArray<number>) {
    this.given = given
  }

  /** Returns a number below `n`, and 0 once all that was given is used. */
  below(n: number): number {
    return (this.given[this.at++] ?? 0) % n
  }

  of<A>(items: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>, otherwise: A): A {
    return items[this.below(items.length)] ?? otherwise
  }
}

const valueOf = (choose: Chooser, level = 0): Json => {
  const kind = level > 3 ? 0 : choose.below(4)
  if (kind === 2) return Array.from({ length: choose.below(4) }, () => valueOf(choose, level + 1))
  if (kind === 3) return objectOf(choose, level)
  return choose.of(scalars, null)
}

const objectOf = (choose: Chooser, level = 0): JsonObject =>
  Object.fromEntries(
    Array.from({ length: choose.below(4) }, () => [choose.of(keys, "a"), valueOf(choose, level + 1)]),
  )

const types = ["string", "number", "integer", "boolean", "object", "array", "null"]

const schemaOf = (choose: Chooser, level = 0): JsonObject => {
  const schema: Array<readonly [string, Json]> = []
  if (level === 0) schema.push(["type", "object"])
  else if (choose.below(2) === 1) {
    schema.push([
      "type",
      choose.below(3) === 2
        ? [choose.of(types, "null"), "null"].toSorted().filter((one, i, all) => all.indexOf(one) === i)
        : choose.of(types, "null"),
    ])
  }
  const sub = (): Json => {
    const kind = choose.below(6)
    return kind === 4 ? true : kind === 5 ? false : schemaOf(choose, level + 1)
  }
  const isDeep = level > 3
  for (let n = choose.below(4); n > 0; n--) {
    switch (choose.below(11)) {
      case 0:
        schema.push(["required", [choose.of(keys, "a")]])
        break
      case 1:
      case 2:
      case 3:
        if (isDeep) break
        schema.push([
          "properties",
          Object.fromEntries(
            Array.from({ length: 1 + choose.below(3) }, () => [choose.of(keys, "a"), sub()]),
          ),
        ])
        break
      case 4:
        if (!isDeep) schema.push(["items", sub()])
        break
      case 5:
        schema.push(["enum", Array.from({ length: 2 }, (_, n) => (n === 0 ? valueOf(choose, 3) : "zz"))])
        break
      case 6:
        schema.push(["const", valueOf(choose, 2)])
        break
      case 7:
        schema.push([choose.of(["minimum", "maximum"], "minimum"), choose.below(4) - 1])
        break
      case 8:
        schema.push([
          choose.of(["minLength", "maxLength", "minItems", "maxItems"], "minLength"),
          choose.below(3),
        ])
        break
      default:
        schema.push(["additionalProperties", isDeep ? false : sub()])
    }
  }
  return Object.fromEntries(schema)
}

const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true })

const compiled = (schema: Json): PlanNode => Result.getOrThrow(decodePlanSchema(schema, "schema"))

/** Returns the value at a path, and undefined if there is none. */
const valueAt = (value: Json, path: ReadonlyArray<string | number>): Json | undefined =>
  path.reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at) && typeof key === "number") return at[key]
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)

const isBelow = (path: Stripped["path"], root: Stripped["path"]): boolean =>
  root.every((key, place) => path[place] === key)

const plan = (minimum: number) => ({ kind: "event", name: "e", schema: { properties: { a: { minimum } } } })

const save = (before: typeof noPlans, ...sent: ReadonlyArray<Json>) =>
  Result.getOrThrow(toEnd(decodePlans(before, sent)))

const accepts = (format: string, value: Json) =>
  fits(compiled({ properties: { a: { format } } }), { a: value })

describe("plans", () => {
  it.prop(
    "a plan accepts what the oracle accepts",
    [choices, choices],
    ([one, other]) => {
      const schema = schemaOf(new Chooser(one))
      const value = objectOf(new Chooser(other))
      const node = compiled(schema)
      const expected = ajv.validate(schema, value)
      ajv.removeSchema()
      assert.strictEqual(fits(node, value), expected, JSON.stringify({ schema, value }))
      assert.strictEqual(misfitsIn(node, value, 20).length === 0, expected)
    },
    propertyOptions(1500),
  )

  it.prop(
    "strip takes out only what offends, and nothing of what fits",
    [choices, choices],
    ([one, other]) => {
      const node = compiled(schemaOf(new Chooser(one)))
      const value = objectOf(new Chooser(other))
      const { left, stripped } = stripValue(node, value)
      if (fits(node, value)) assert.deepStrictEqual({ left, stripped }, { left: value, stripped: [] })
      // Whatever is taken out contains a misfit, or was needed by a value that lost one.
      const misfits = misfitsIn(node, value, 10_000)
      for (const { path, value: taken } of stripped) {
        assert.deepStrictEqual(valueAt(value, path), taken)
        assert.isTrue(misfits.some((misfit) => isBelow(misfit.path, path)))
      }
      // Only what the data as a whole require can still be wrong.
      for (const { path } of misfitsIn(node, left, 20)) assert.isAtMost(path.length, 1)
      const again = stripValue(node, left)
      assert.deepStrictEqual(again, { left, stripped: [] })
    },
    propertyOptions(1500),
  )

  it("refuses a keyword that plans do not have, with its path", () => {
    const schema = { type: "object", properties: { total: { type: "number", pattern: "x" } } }
    assert.deepStrictEqual(
      decodePlanSchema(schema, "plans.0.schema"),
      Result.fail(
        'plans.0.schema.properties.total: plans do not have "pattern"; a schema can have type, required, properties, items, enum, const, minimum, maximum, minLength, maxLength, minItems, maxItems, format, additionalProperties',
      ),
    )
  })

  const wrong: ReadonlyArray<readonly [title: string, schema: Json]> = [
    ["a root that is no object", { type: "string" }],
    ["a type that does not exist", { properties: { a: { type: "money" } } }],
    ["the same type twice", { properties: { a: { type: ["null", "null"] } } }],
    ["no values", { properties: { a: { enum: [] } } }],
    ["a length below zero", { properties: { a: { minLength: -1 } } }],
    ["a required key twice", { required: ["a", "a"] }],
    ["a format that is not known", { properties: { a: { format: "ipv7" } } }],
    ["a schema that is a text", { properties: { a: "number" } }],
    ["a reference", { $ref: "#/properties/a" }],
    [
      "too many properties",
      {
        properties: Object.fromEntries(
          Array.from({ length: planPropertiesMax + 1 }, (_, n) => [`p${n}`, {}]),
        ),
      },
    ],
    ["too many levels", Array.from({ length: planLevelsMax + 1 }).reduce<Json>((items) => ({ items }), {})],
  ]
  for (const [title, schema] of wrong) {
    it(`refuses a schema with ${title}`, () => {
      const item = isJsonObject(schema) ? { type: "object", ...schema } : schema
      assert.isTrue(Result.isFailure(decodePlanSchema(item, "schema")))
    })
  }

  it("refuses too many plans, and a plan that is too large", () => {
    const many = Array.from({ length: plansMax + 1 }, (_, n) => ({
      kind: "event",
      name: `e${n}`,
      schema: {},
    }))
    assert.isTrue(Result.isFailure(toEnd(decodePlans(noPlans, many))))
    const large = {
      kind: "event",
      name: "e",
      schema: { properties: { a: { const: "x".repeat(planBytesMax) } } },
    }
    assert.isTrue(Result.isFailure(toEnd(decodePlans(noPlans, [large]))))
  })

  it("counts versions on, also of a plan that comes back", () => {
    const one = save(noPlans, plan(1))
    const same = save(one, plan(1), { kind: "event", name: "f", schema: {} })
    const gone = save(same)
    const back = save(gone, plan(1))
    assert.deepStrictEqual(
      [one, same, back].map(({ plans }) => plans.map(({ name, version }) => [name, version])),
      [
        [["e", 1]],
        [
          ["e", 1],
          ["f", 1],
        ],
        [["e", 2]],
      ],
    )
  })

  it("knows a property named __proto__, which the oracle leaves out", () => {
    const schema: Json = JSON.parse('{"properties":{"__proto__":false}}')
    const value: Json = JSON.parse('{"__proto__":1,"a":2}')
    const { left, stripped } = stripValue(compiled(schema), value)
    assert.strictEqual(JSON.stringify(left), '{"a":2}')
    assert.deepStrictEqual(stripped, [
      { path: ["__proto__"], clause: "additionalProperties", got: "integer", value: 1 },
    ])
  })

  it("lists a bounded number of what it takes out of a long list, and takes out all of it", () => {
    const schema: Json = { properties: { list: { type: "array", items: { type: "string" } } } }
    const list: ReadonlyArray<Json> = Array.from({ length: 10_000 }, (_, n) => (n % 100 === 0 ? "kept" : n))
    const { left, stripped } = stripValue(compiled(schema), { list })
    assert.deepStrictEqual(left, { list: list.filter((one) => one === "kept") })
    assert.isAtMost(stripped.length, 50)
  })

  it("asserts formats", () => {
    const examples: ReadonlyArray<readonly [format: string, value: Json, accepted: boolean]> = [
      ["date", "2026-02-28", true],
      ["date", "2026-02-29", false],
      ["date", "2024-02-29", true],
      ["date-time", "2026-02-28T12:00:00Z", true],
      ["date-time", "2026-02-28T12:00:00.123+02:00", true],
      ["date-time", "2026-02-28T24:00:00Z", false],
      ["date-time", "2026-02-28T12:00:00", false],
      ["email", "ada@example.com", true],
      ["email", "ada", false],
      ["uri", "https://example.com/?a=b", true],
      ["uri", "example.com", false],
      ["uuid", "0a0b0c0d-0000-4000-8000-00000000000F", true],
      ["uuid", "0a0b0c0d", false],
      ["uuid", 5, true],
    ]
    for (const [format, value, accepted] of examples) {
      assert.strictEqual(accepts(format, value), accepted, `${format} ${JSON.stringify(value)}`)
    }
  })
})
