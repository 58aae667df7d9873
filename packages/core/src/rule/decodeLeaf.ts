import { Result } from "effect"
import { nameSearchLengthMax } from "../log/NameSearch.ts"
import { Channel, DeliveryMetric, SourceId } from "../state/Delivery.ts"
import { IdentifierKind, SubjectKey } from "../values/Identifier.ts"
import { decodeCondition, decodeWhere } from "./decodeCondition.ts"
import { checkContextField } from "./contextFields.ts"
import type {
  Condition,
  Count,
  CountedMetric,
  CountedSource,
  CountingLeaf,
  Leaf,
  OccurringKind,
  StateLeaf,
  Window,
} from "./Rule.ts"
import { RulePart, type Read } from "./RulePart.ts"
import { countMax } from "./ruleBounds.ts"
import { ruleTexts } from "./ruleTexts.ts"

export const leafKeys = [
  "attribute",
  "identity",
  "age",
  "event",
  "page",
  "screen",
  "metric",
  "form",
  "device",
  "relationship",
  "segment",
  "subscription",
] as const
export type LeafKey = (typeof leafKeys)[number]

/** A leaf, and the `aged` that stands inside it. */
export interface DecodedLeaf {
  readonly leaf: Leaf
  readonly aged: RulePart
}

/** Reads the leaf that the key `key` names. */
export const decodeLeaf = (key: LeafKey, part: RulePart): Read<DecodedLeaf> =>
  Result.map(decodeByKey(key, part), (leaf) => ({ leaf, aged: part.at("aged") }))

const decodeByKey = (key: LeafKey, part: RulePart): Read<Leaf> => {
  switch (key) {
    case "attribute":
      return Result.map(decodeCondition(part), (condition) => ({ _tag: "HasAttribute", condition }))
    case "identity":
      return decodeIdentity(part)
    case "age":
      return decodeAge(part)
    case "event":
    case "page":
    case "screen":
      return decodeOccurred(key, part)
    case "metric":
      return decodeReported(part)
    case "form":
      return decodeSubmitted(part)
    case "device":
      return decodeDevice(part)
    case "relationship":
      return decodeRelated(part)
    case "segment":
      return decodeInSegment(part)
    case "subscription":
      return decodeSubscription(part)
  }
}

const decodeIdentity = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(["has"], '{"has": "email"}')
    const kind = yield* part.at("has").word("identifier", IdentifierKind.literals)
    return { _tag: "HasIdentifier", kind }
  })

const decodeAge = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    const given = yield* part.object(["gte", "lt"], '{"gte": "7d"}', { lte: "lt", gt: "gte" })
    const operators = (["gte", "lt"] as const).filter((operator) => Object.hasOwn(given, operator))
    const [operator, other] = operators
    if (operator === undefined || other !== undefined) {
      return yield* part.fault(ruleTexts.oneKey(["gte", "lt"]))
    }
    return { _tag: "Aged", operator, ms: yield* part.at(operator).duration() }
  })

const countingKeys = ["count", "within", "between", "aged"] as const

const countingKeysElsewhere = {
  window: "within",
  period: "within",
  last: "within",
  times: "count",
  conditions: "where",
  properties: "where",
  data: "where",
} as const

const decodeOccurred = (kind: OccurringKind, part: RulePart): Read<CountingLeaf> =>
  Result.gen(function* () {
    yield* part.object(["name", "where", ...countingKeys], '{"name": "signed_up"}', countingKeysElsewhere)
    if (part.at("name").isAbsent) return yield* part.fault(ruleTexts.missing("name"))
    const name = yield* part.at("name").text()
    if (name.length > nameSearchLengthMax) {
      return yield* part.at("name").fault(ruleTexts.textTooLong(nameSearchLengthMax))
    }
    const where = yield* decodeEventWhere(part.at("where"))
    return { _tag: "Occurred", kind, name, where, ...(yield* decodeCounting(part)) }
  })

/** Reads the conditions on an event, which may be about the context of its call. */
const decodeEventWhere = (part: RulePart): Read<ReadonlyArray<Condition>> =>
  Result.gen(function* () {
    const where = yield* decodeWhere(part)
    for (const [i, { field }] of where.entries()) {
      yield* checkContextField(part.at(String(i)).at("field"), field)
    }
    return where
  })

const metrics: ReadonlyArray<CountedMetric> = [...DeliveryMetric.literals, "unsubscribed"]
const sources: ReadonlyArray<CountedSource> = [...SourceId.literals, "delivery_id"]

const decodeReported = (part: RulePart): Read<CountingLeaf> =>
  Result.gen(function* () {
    yield* part.object(
      ["channel", "metric", "source", ...countingKeys],
      '{"metric": "opened"}',
      countingKeysElsewhere,
    )
    if (part.at("metric").isAbsent) return yield* part.fault(ruleTexts.missing("metric"))
    const channel = part.at("channel").isAbsent
      ? null
      : yield* part.at("channel").word("channel", Channel.literals)
    const metric = yield* part.at("metric").word("metric", metrics)
    const source = yield* decodeSource(part.at("source"))
    return { _tag: "Reported", channel, metric, source, ...(yield* decodeCounting(part)) }
  })

const decodeSource = (
  part: RulePart,
): Read<ReadonlyArray<{ readonly name: CountedSource; readonly value: string }>> =>
  part.isAbsent
    ? Result.succeed([])
    : Result.gen(function* () {
        const given = yield* part.object(sources, '{"campaign_id": 3}')
        const named: Array<{ readonly name: CountedSource; readonly value: string }> = []
        for (const name of sources) {
          const value = given[name]
          if (value === undefined) continue
          if (typeof value !== "string" && !Number.isInteger(value)) {
            return yield* part.at(name).fault(ruleTexts.notSource)
          }
          named.push({ name, value: typeof value === "string" ? yield* part.at(name).text() : String(value) })
        }
        return named
      })

const decodeSubmitted = (part: RulePart): Read<CountingLeaf> =>
  Result.gen(function* () {
    yield* part.object(["id", "where", ...countingKeys], '{"id": "newsletter"}', countingKeysElsewhere)
    if (part.at("id").isAbsent) return yield* part.fault(ruleTexts.missing("id"))
    const form = yield* part.at("id").text()
    const where = yield* decodeWhere(part.at("where"))
    return { _tag: "Submitted", form, where, ...(yield* decodeCounting(part)) }
  })

const decodeDevice = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(["where"], '{"where": [{"field": "platform", "operator": "eq", "value": "ios"}]}')
    return { _tag: "HasDevice", where: yield* decodeWhere(part.at("where")) }
  })

const decodeRelated = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(["type", "where", "count", "object"], '{"type": "1"}', {
      object_type_id: "type",
      object_type: "type",
    })
    const type = part.at("type")
    const typeId =
      typeof type.value === "number" ? String(yield* type.integer(0, 2 ** 53)) : yield* type.text()
    const where = yield* decodeWhere(part.at("where"))
    const object = part.at("object")
    if (!object.isAbsent) yield* object.object(["where"], '{"where": […]}')
    const count = yield* decodeCount(part.at("count"))
    return { _tag: "Related", typeId, where, object: yield* decodeWhere(object.at("where")), count }
  })

const integerText = /^[1-9]\d{0,15}$/

const decodeInSegment = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(["id"], '{"id": 3}')
    const id = part.at("id")
    const { value } = id
    const key = typeof value === "string" && integerText.test(value) ? Number(value) : value
    if (typeof key !== "number" || !Number.isSafeInteger(key) || key < 1) {
      return yield* id.fault(ruleTexts.notSegment)
    }
    return { _tag: "InSegment", segment: SubjectKey.make(key) }
  })

const decodeSubscription = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(["unsubscribed", "topic", "value"], '{"unsubscribed": true}')
    const [unsubscribed, topic] = [part.at("unsubscribed"), part.at("topic")]
    if (unsubscribed.isAbsent === topic.isAbsent) {
      return yield* part.fault(ruleTexts.oneKey(["unsubscribed", "topic"]))
    }
    if (topic.isAbsent) return { _tag: "Unsubscribed", value: yield* unsubscribed.boolean() }
    return { _tag: "Subscribed", topic: yield* topic.text(), value: yield* part.at("value").boolean() }
  })

const decodeCounting = (part: RulePart): Read<{ readonly count: Count; readonly window: Window }> =>
  Result.gen(function* () {
    return { count: yield* decodeCount(part.at("count")), window: yield* decodeWindow(part) }
  })

const decodeCount = (part: RulePart): Read<Count> =>
  part.isAbsent
    ? Result.succeed({ operator: "gte", n: 1 })
    : Result.gen(function* () {
        const given = yield* part.object(["gte", "lte", "eq"], '{"gte": 3}', {
          ">=": "gte",
          min: "gte",
          at_least: "gte",
          "<=": "lte",
          max: "lte",
          at_most: "lte",
          "=": "eq",
          exactly: "eq",
        })
        const operators = (["gte", "lte", "eq"] as const).filter((name) => Object.hasOwn(given, name))
        const [operator, other] = operators
        if (operator === undefined || other !== undefined) return yield* part.fault(ruleTexts.oneCount)
        return { operator, n: yield* part.at(operator).integer(operator === "gte" ? 1 : 0, countMax) }
      })

const decodeWindow = (part: RulePart): Read<Window> =>
  Result.gen(function* () {
    const [within, between] = [part.at("within"), part.at("between")]
    if (!within.isAbsent && !between.isAbsent) return yield* between.fault(ruleTexts.oneWindow)
    if (!within.isAbsent) return { _tag: "Within", ms: yield* within.duration() }
    if (between.isAbsent) return { _tag: "AllTime" }
    const [start, end, more] = yield* between.array("time", 2)
    if (start === undefined || end === undefined || more !== undefined) {
      return yield* between.fault(ruleTexts.notBetween)
    }
    const from = yield* start.instant()
    const to = yield* end.instant()
    return from < to ? { _tag: "Between", from, to } : yield* between.fault(ruleTexts.notBetween)
  })
