import { Schema, Struct } from "effect"
import { nameSearchLengthMax } from "../log/NameSearch.ts"
import { Channel, DeliveryMetric, SourceId } from "../state/Delivery.ts"
import { IdentifierKind } from "../values/Identifier.ts"
import { operators, takes, type Takes } from "./operators.ts"
import { conditionsMax, countMax, ruleLeavesMax, ruleTextBytesMax, valuesMax } from "./ruleBounds.ts"

/*
 * The language of rules as JSON. The decoder takes the keys, the words and what its messages say of them from these
 * schemas, the management API describes rules with them, and clients get their types. The schemas accept whatever the
 * decoder accepts. It refuses a little more, such as times that do not exist.
 */

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** What a part of a rule looks like, for the message about a value that is no object. */
      readonly ruleExample?: string | undefined
      /** What other tools and languages call the keys or the words of a part of a rule. */
      readonly otherNames?: Readonly<Record<string, string>> | undefined
    }
  }
}

const words = <Name extends string>(named: Readonly<Record<Name, unknown>>) =>
  Schema.Literals(Struct.keys(named))

const RuleText = Schema.NonEmptyString.check(Schema.isMaxLength(ruleTextBytesMax))

const Duration = Schema.String.check(Schema.isPattern(/^[0-9]{1,9}[mhdw]$/u)).annotate({
  identifier: "RuleDuration",
  description: "a whole number with `m`, `h`, `d` or `w`, from `1m` to `730d`",
})

const Instant = Schema.Union([Schema.Finite, RuleText]).annotate({
  identifier: "RuleTime",
  description: "a time in ISO 8601, or Unix seconds",
})

const Scalar = Schema.Union([
  Schema.String.check(Schema.isMaxLength(ruleTextBytesMax)),
  Schema.Finite,
  Schema.Boolean,
])

/** What each kind of operator takes as `value`. */
const values = {
  scalar: Scalar,
  scalars: Schema.Array(Scalar).check(Schema.isMinLength(1), Schema.isMaxLength(valuesMax)),
  number: Schema.Union([Schema.Finite, RuleText]).annotate({
    description: "a number, or text that spells one",
  }),
  text: RuleText,
  nothing: Schema.optionalKey(Schema.Literal(true)),
  instant: Instant,
  duration: Duration,
} as const satisfies Readonly<Record<Takes, Schema.Top>>

/** The name of an operator. */
export const Operator = words(operators).annotate({
  otherNames: Object.fromEntries(
    Object.entries(operators).flatMap(([name, { otherNames }]) => otherNames.map((other) => [other, name])),
  ),
})

const testing = <Kind extends Takes>(kind: Kind) =>
  Schema.Struct({
    field: RuleText.annotate({ description: "a name, or a path with dots" }),
    operator: Schema.Literals(Struct.keys(operators).filter((name) => takes(name, kind))),
    value: values[kind],
    any: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "whether the path leads through arrays; one element that passes is enough",
      }),
    ),
  })

const testingText = <Kind extends "scalar" | "scalars" | "text">(kind: Kind) =>
  Schema.Struct({
    ...testing(kind).fields,
    ignore_case: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "whether upper and lower case are the same, false by default" }),
    ),
  })

export const Condition = Schema.Union([
  testingText("scalar"),
  testingText("scalars"),
  testing("number"),
  testingText("text"),
  testing("nothing"),
  testing("instant"),
  testing("duration"),
]).annotate({
  identifier: "RuleCondition",
  ruleExample: '{"field": "plan", "operator": "eq", "value": "pro"}',
  description: "a test of one value. A missing value fails every test, `ne` too",
  otherNames: { case_insensitive: "ignore_case", ignoreCase: "ignore_case", caseInsensitive: "ignore_case" },
})

const Where = Schema.Array(Condition).check(Schema.isMinLength(1), Schema.isMaxLength(conditionsMax))

const times = (min: number) => Schema.Int.check(Schema.isBetween({ minimum: min, maximum: countMax }))

/** How often something happened, as one of its operators. */
export const Count = Schema.Union([
  Schema.Struct({ gte: times(1) }),
  Schema.Struct({ lte: times(0) }),
  Schema.Struct({ eq: times(0) }),
]).annotate({
  identifier: "RuleCount",
  description: "how often, 1 or more times by default",
  ruleExample: '{"gte": 3}',
  otherNames: {
    ">=": "gte",
    min: "gte",
    at_least: "gte",
    "<=": "lte",
    max: "lte",
    at_most: "lte",
    "=": "eq",
    exactly: "eq",
  },
})

const counting = {
  count: Schema.optionalKey(Count),
  within: Schema.optionalKey(Duration),
  between: Schema.optionalKey(
    Schema.Tuple([Instant, Instant]).annotate({ description: "from the first time to before the second" }),
  ),
  aged: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "whether the profile must be as old as the window in which nothing may have happened, true by default",
    }),
  ),
}

const countingNames = {
  window: "within",
  period: "within",
  last: "within",
  times: "count",
  conditions: "where",
  properties: "where",
  data: "where",
} as const

const Occurred = Schema.Struct({
  name: Schema.NonEmptyString.check(Schema.isMaxLength(nameSearchLengthMax)).annotate({
    description: "a name, or a search for names with `*`, `+` and `|`",
  }),
  where: Schema.optionalKey(Where),
  ...counting,
}).annotate({
  identifier: "RuleEvent",
  description: "an event, page view or screen view, and how often it happened",
  ruleExample: '{"name": "signed_up"}',
  otherNames: countingNames,
})

/** The metrics that rules count: those that are reported, and unsubscribing by a delivery. */
export const CountedMetric = Schema.Literals([...DeliveryMetric.literals, "unsubscribed"])
export type CountedMetric = typeof CountedMetric.Type

/** The ids by which a rule chooses messages. */
export const CountedSource = Schema.Literals([...SourceId.literals, "delivery_id"])
export type CountedSource = typeof CountedSource.Type

/** Ids by their names. */
export const Sources = Schema.Struct(
  Struct.Record(CountedSource.literals, Schema.optionalKey(Schema.Union([RuleText, Schema.Int]))),
).annotate({ ruleExample: '{"campaign_id": 3}' })

const Reported = Schema.Struct({
  channel: Schema.optionalKey(Channel),
  metric: CountedMetric,
  source: Schema.optionalKey(Sources),
  ...counting,
}).annotate({
  identifier: "RuleMetric",
  description: "what happened to messages, and how often",
  ruleExample: '{"metric": "opened"}',
  otherNames: countingNames,
})

const Submitted = Schema.Struct({ id: RuleText, where: Schema.optionalKey(Where), ...counting }).annotate({
  identifier: "RuleForm",
  description: "a form, and how often it was submitted",
  ruleExample: '{"id": "newsletter"}',
  otherNames: countingNames,
})

/** The conditions on related objects. */
export const RelatedObject = Schema.Struct({ where: Schema.optionalKey(Where) }).annotate({
  ruleExample: '{"where": […]}',
})

/** What each kind of leaf asks for, by its key. */
export const leaves = {
  attribute: Condition,
  identity: Schema.Struct({ has: IdentifierKind }).annotate({ ruleExample: '{"has": "email"}' }),
  age: Schema.Union([Schema.Struct({ gte: Duration }), Schema.Struct({ lt: Duration })]).annotate({
    identifier: "RuleAge",
    description: "the age of the profile",
    ruleExample: '{"gte": "7d"}',
    otherNames: { lte: "lt", gt: "gte" },
  }),
  event: Occurred,
  page: Occurred,
  screen: Occurred,
  metric: Reported,
  form: Submitted,
  device: Schema.Struct({ where: Schema.optionalKey(Where) }).annotate({
    identifier: "RuleDevice",
    description: "one device that meets all conditions",
    ruleExample: '{"where": [{"field": "platform", "operator": "eq", "value": "ios"}]}',
  }),
  relationship: Schema.Struct({
    type: Schema.Union([RuleText, Schema.Natural]),
    where: Schema.optionalKey(Where),
    count: Schema.optionalKey(Count),
    object: Schema.optionalKey(RelatedObject),
  }).annotate({
    identifier: "RuleRelationship",
    description: "objects of a type that the person is related to, and how many",
    ruleExample: '{"type": "1"}',
    otherNames: { object_type_id: "type", object_type: "type" },
  }),
  segment: Schema.Struct({
    id: Schema.Union([
      Schema.Int.check(Schema.isGreaterThan(0)),
      Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,15}$/u)),
    ]),
  }).annotate({ ruleExample: '{"id": 3}' }),
  subscription: Schema.Union([
    Schema.Struct({ unsubscribed: Schema.Boolean }),
    Schema.Struct({ topic: RuleText, value: Schema.Boolean }),
  ]).annotate({
    identifier: "RuleSubscription",
    description: "whether the person is unsubscribed, or subscribed to a topic",
    ruleExample: '{"unsubscribed": true}',
  }),
} as const

export type LeafKey = keyof typeof leaves
export const leafKeys = Struct.keys(leaves)

type LeafJson = {
  readonly [Key in LeafKey]: { readonly [Only in Key]: (typeof leaves)[Key]["Type"] }
}[LeafKey]

/** A rule as JSON. */
export type RuleJson =
  | LeafJson
  | { readonly and: ReadonlyArray<RuleJson> }
  | { readonly or: ReadonlyArray<RuleJson> }
  | { readonly not: RuleJson; readonly aged?: boolean }

const Rules = Schema.Array(Schema.suspend((): Schema.Codec<RuleJson> => RuleJson)).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(ruleLeavesMax),
)

export const RuleJson: Schema.Codec<RuleJson> = Schema.Union([
  Schema.Struct({ attribute: leaves.attribute }),
  Schema.Struct({ identity: leaves.identity }),
  Schema.Struct({ age: leaves.age }),
  Schema.Struct({ event: leaves.event }),
  Schema.Struct({ page: leaves.page }),
  Schema.Struct({ screen: leaves.screen }),
  Schema.Struct({ metric: leaves.metric }),
  Schema.Struct({ form: leaves.form }),
  Schema.Struct({ device: leaves.device }),
  Schema.Struct({ relationship: leaves.relationship }),
  Schema.Struct({ segment: leaves.segment }),
  Schema.Struct({ subscription: leaves.subscription }),
  Schema.Struct({ and: Rules }),
  Schema.Struct({ or: Rules }),
  Schema.Struct({
    not: Schema.suspend((): Schema.Codec<RuleJson> => RuleJson),
    aged: counting.aged,
  }),
]).annotate({
  identifier: "Rule",
  description: "the rule of a segment: a leaf, or leaves combined; see docs/segments.md",
  ruleExample: '{"attribute": {"field": "plan", "operator": "eq", "value": "pro"}}',
  otherNames: {
    all: "and",
    any: "or",
    none: "not",
    trait: "attribute",
    property: "attribute",
    segments: "segment",
    track: "event",
    delivery: "metric",
    object: "relationship",
  },
})
