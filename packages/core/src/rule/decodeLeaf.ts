import { Result, Struct } from "effect"
import { nameSearchLengthMax } from "../log/NameSearch.ts"
import { Channel } from "../state/Delivery.ts"
import { IdentifierKind, SubjectKey } from "../values/Identifier.ts"
import { decodeCondition, decodeWhere } from "./decodeCondition.ts"
import { checkContextField } from "./contextFields.ts"
import type { Condition, Count, CountingLeaf, Leaf, OccurringKind, StateLeaf, Window } from "./Rule.ts"
import { ages, counts } from "./operators.ts"
import { RulePart, type Read } from "./RulePart.ts"
import { countMax } from "./ruleBounds.ts"
import {
  Count as CountJson,
  CountedMetric,
  CountedSource,
  leaves,
  RelatedObject,
  Sources,
  type LeafKey,
} from "./ruleLanguage.ts"
import { ruleTexts } from "./ruleTexts.ts"

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
    yield* part.object(leaves.identity)
    const kind = yield* part.at("has").word("identifier", IdentifierKind)
    return { _tag: "HasIdentifier", kind }
  })

const decodeAge = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    const given = yield* part.object(leaves.age)
    const [operator, other] = Struct.keys(ages).filter((name) => Object.hasOwn(given, name))
    if (operator === undefined || other !== undefined) {
      return yield* part.fault(ruleTexts.oneKey(Struct.keys(ages)))
    }
    return { _tag: "Aged", operator, ms: yield* part.at(operator).duration() }
  })

const decodeOccurred = (kind: OccurringKind, part: RulePart): Read<CountingLeaf> =>
  Result.gen(function* () {
    yield* part.object(leaves[kind])
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

const decodeReported = (part: RulePart): Read<CountingLeaf> =>
  Result.gen(function* () {
    yield* part.object(leaves.metric)
    if (part.at("metric").isAbsent) return yield* part.fault(ruleTexts.missing("metric"))
    const channel = part.at("channel").isAbsent ? null : yield* part.at("channel").word("channel", Channel)
    const metric = yield* part.at("metric").word("metric", CountedMetric)
    const source = yield* decodeSource(part.at("source"))
    return { _tag: "Reported", channel, metric, source, ...(yield* decodeCounting(part)) }
  })

const decodeSource = (
  part: RulePart,
): Read<ReadonlyArray<{ readonly name: CountedSource; readonly value: string }>> =>
  part.isAbsent
    ? Result.succeed([])
    : Result.gen(function* () {
        const given = yield* part.object(Sources)
        const named: Array<{ readonly name: CountedSource; readonly value: string }> = []
        for (const name of CountedSource.literals) {
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
    yield* part.object(leaves.form)
    if (part.at("id").isAbsent) return yield* part.fault(ruleTexts.missing("id"))
    const form = yield* part.at("id").text()
    const where = yield* decodeWhere(part.at("where"))
    return { _tag: "Submitted", form, where, ...(yield* decodeCounting(part)) }
  })

const decodeDevice = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(leaves.device)
    return { _tag: "HasDevice", where: yield* decodeWhere(part.at("where")) }
  })

const decodeRelated = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(leaves.relationship)
    const type = part.at("type")
    const typeId =
      typeof type.value === "number" ? String(yield* type.integer(0, 2 ** 53)) : yield* type.text()
    const where = yield* decodeWhere(part.at("where"))
    const object = part.at("object")
    if (!object.isAbsent) yield* object.object(RelatedObject)
    const count = yield* decodeCount(part.at("count"))
    return { _tag: "Related", typeId, where, object: yield* decodeWhere(object.at("where")), count }
  })

const integerText = /^[1-9]\d{0,15}$/

const decodeInSegment = (part: RulePart): Read<StateLeaf> =>
  Result.gen(function* () {
    yield* part.object(leaves.segment)
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
    yield* part.object(leaves.subscription)
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
        const given = yield* part.object(CountJson)
        const [operator, other] = Struct.keys(counts).filter((name) => Object.hasOwn(given, name))
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
