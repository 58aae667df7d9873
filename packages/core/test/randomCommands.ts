import { Arbitrary, Array as Arr, Result, Schema } from "effect"
import type { Assignment } from "@inlethq/core/state/Attributes"
import type { Command } from "@inlethq/core/Command"
import type { DeviceChange } from "@inlethq/core/device/commands"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import type { ObjectEntry, PersonEntry } from "@inlethq/core/relationship/commands"
import type { Channel, DeliveryMetric } from "@inlethq/core/state/Delivery"
import {
  Sequence,
  SubjectKey,
  WorkspaceId,
  type ObjectReference,
  type Reference,
} from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"

/*
 * Random commands on so few people, identifiers, devices, objects, segments and deliveries that nearly every command
 * affects data of an earlier command.
 */

/**
 * Generates one of the given values. A failed case shrinks towards the first value. A value that is listed twice is
 * generated twice as often.
 */
export const oneOf = <A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))).pipe(
    Arbitrary.filterMap((index) => Result.fromOption(Arr.get(values, index), () => "no such value")),
  )

export const repeat = <A>(times: number, ...values: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from({ length: times }, () => values).flat()

/**
 * A command without its envelope. In place of subject keys, the command has ordinals: 1 is the first person, object or
 * segment that the sequence of commands creates.
 */
type Bare<C> = C extends Command ? Omit<C, keyof Envelope> : never
export type CommandBody = Bare<Command>
type Tag = CommandBody["_tag"]
type BodyOf<T extends Tag> = Extract<CommandBody, { readonly _tag: T }>

const tagged =
  <T extends string>(_tag: T) =>
  <A extends object>(given: A) => ({ _tag, ...given })

export const byIdentifier = (kind: "id" | "email" | "anonymous_id", value: string): Reference => ({
  _tag: "ByIdentifier",
  kind,
  value,
})

const bySvcId = (ordinal: number | null): Extract<Reference, { _tag: "BySvcId" }> => ({
  _tag: "BySvcId",
  key: ordinal === null ? null : SubjectKey.make(ordinal),
})

const who = {
  one: byIdentifier("id", "id-one"),
  two: byIdentifier("id", "id-two"),
  ann: byIdentifier("email", "ann@x.org"),
  annLoud: byIdentifier("email", "Ann@X.org"),
  bob: byIdentifier("email", "bob@x.org"),
  visitor: byIdentifier("anonymous_id", "anon-u"),
  otherVisitor: byIdentifier("anonymous_id", "anon-v"),
  bareOne: {
    _tag: "ByBareText",
    value: "id-one",
    otherwise: { _tag: "ByIdentifier", kind: "id", value: "id-one" },
  },
  bareAnn: {
    _tag: "ByBareText",
    value: "ann@x.org",
    otherwise: { _tag: "ByIdentifier", kind: "email", value: "ann@x.org" },
  },
  bareAnonymous: {
    _tag: "ByBareText",
    value: "anon-u",
    otherwise: { _tag: "ByIdentifier", kind: "id", value: "anon-u" },
  },
  bareSvcId: { _tag: "ByBareText", value: "svc_p11000000002", otherwise: bySvcId(2) },
} as const satisfies Record<string, Reference>

const rare = [who.annLoud, who.bareOne, who.bareAnn, who.bareSvcId, ...[1, 2, 3, null].map(bySvcId)]

/** A person's id, email or svc_id. */
const anyPerson = oneOf<Reference>(...repeat(3, who.one, who.two, who.ann, who.bob), ...rare)

const anyReference = oneOf<Reference>(
  ...repeat(3, who.one, who.two, who.ann, who.bob, who.visitor),
  who.otherVisitor,
  ...rare,
)

const assignment = Arbitrary.all({
  name: oneOf("a", "b", "c", "unsubscribed"),
  value: oneOf<Json>(1, "x", { deep: [1] }, null, ""),
})

const assignments: Arbitrary.Arbitrary<ReadonlyArray<Assignment>> = Arbitrary.array(assignment, {
  maxLength: 3,
})

const object = oneOf<ObjectReference>(
  ...repeat(
    3,
    { _tag: "ByTypeAndId" as const, typeId: "1", objectId: "acme" },
    { _tag: "ByTypeAndId" as const, typeId: "2", objectId: "acme" },
  ),
  { _tag: "BySvcObjectId", key: SubjectKey.make(1) },
  { _tag: "BySvcObjectId", key: null },
)

const fewAssignments = Arbitrary.array(assignment, { maxLength: 2 })

const objectEntries: Arbitrary.Arbitrary<ReadonlyArray<ObjectEntry>> = Arbitrary.array(
  Arbitrary.all({ object, assignments: fewAssignments }),
  { minLength: 1, maxLength: 2 },
)

const personEntries = (minLength: number): Arbitrary.Arbitrary<ReadonlyArray<PersonEntry>> =>
  Arbitrary.array(Arbitrary.all({ person: anyReference, assignments: fewAssignments }), {
    minLength,
    maxLength: 2,
  })

const relationAction = oneOf<"add" | "delete">("add", "add", "delete")

const relationships = oneOf(false, false, false, true).pipe(
  Arbitrary.flatMap((has) =>
    has ? Arbitrary.all({ action: relationAction, entries: objectEntries }) : Arbitrary.Constant(null),
  ),
)

const token = oneOf("phone", "tablet")

const deviceParts = {
  token,
  platform: oneOf("ios", "android"),
  lastUsed: oneOf(null, 1000, 2000),
  lastUsedGiven: oneOf(true, false),
  assignments: fewAssignments,
}

/** The device of an identify or an event. Most identifies and events have no device. */
const device = oneOf(...repeat(6, "nothing"), "held", "gone").pipe(
  Arbitrary.flatMap((says): Arbitrary.Arbitrary<DeviceChange | null> => {
    if (says === "held") return Arbitrary.map(Arbitrary.all(deviceParts), tagged("DeviceUpdate"))
    if (says === "gone") return Arbitrary.map(Arbitrary.all({ token }), tagged("DeviceRemoval"))
    return Arbitrary.Constant(null)
  }),
)

const identify = Arbitrary.all({
  target: anyReference,
  id: oneOf(null, null, null, "id-one", "id-two", "ann@x.org"),
  email: oneOf(null, null, null, "ann@x.org", "Ann@X.org", "bob@x.org"),
  anonymousId: oneOf(null, null, "anon-u", "anon-v"),
  assignments,
  relationships,
  device,
  updateOnly: oneOf(...repeat(9, false), true),
  removeEmail: oneOf(...repeat(9, false), true),
}).pipe(
  Arbitrary.map((given): BodyOf<"IdentifyPerson"> => {
    // A request that addresses a visitor has no other identifiers.
    const alone = given.target._tag === "ByIdentifier" && given.target.kind === "anonymous_id"
    const others = alone ? { id: null, email: null, anonymousId: null } : {}
    const removeEmail = given.removeEmail && (alone || given.email === null)
    return { _tag: "IdentifyPerson", ...given, ...others, removeEmail }
  }),
)

const event = Arbitrary.all({
  target: oneOf<Reference | null>(who.visitor, who.one, who.ann, null).pipe(
    Arbitrary.flatMap((frequent) => anyReference.pipe(Arbitrary.flatMap((rare) => oneOf(frequent, rare)))),
  ),
  anonymousId: oneOf(null, null, "anon-u"),
  device,
}).pipe(
  Arbitrary.map(({ anonymousId, device, target }): BodyOf<"RecordEvent"> => ({
    _tag: "RecordEvent",
    kind: target === null ? "anonymous_event" : "event",
    target,
    anonymousId: target === null ? null : anonymousId,
    name: "bought",
    data: { price: 1 },
    // The model cannot predict what happens to the device of an event if no person has the id or email in the event.
    // Therefore only events under an anonymous id have a device.
    device: target?._tag === "ByIdentifier" && target.kind === "anonymous_id" ? device : null,
  })),
)

const addDevice = Arbitrary.all({ target: anyReference, ...deviceParts })

const submitted: ReadonlyArray<ReadonlyArray<readonly [name: string, value: string]>> = [
  [["id", "id-one"]],
  [["email", "ann@x.org"]],
  [
    ["email", "bob@x.org"],
    ["a", "form"],
  ],
  [
    ["id", "id-two"],
    ["email", "bob@x.org"],
    ["b", ""],
  ],
  [
    ["mail", "ann@x.org"],
    ["a", "form"],
  ],
  [
    ["email", "Ann@X.org"],
    ["b", "form"],
    ["c", "form"],
  ],
  [
    ["id", ""],
    ["email", "ann@x.org"],
  ],
  [["a", "form"]],
  [
    ["b", "id-one"],
    ["a", "form"],
  ],
]

const submitForm = oneOf(...submitted).pipe(
  Arbitrary.map((fields): BodyOf<"SubmitForm"> => ({
    _tag: "SubmitForm",
    formId: "contact",
    fields: fields.map(([name, value]) => ({ name, value })),
  })),
)

const mapForm = oneOf(["mail", "email"], ["a", "c"], ["b", "id"], ["b", "b"]).pipe(
  Arbitrary.map(([field = "", attribute = ""]): BodyOf<"MapForm"> => ({
    _tag: "MapForm",
    formId: "contact",
    mapping: new Map([[field, attribute]]),
  })),
)

const segment = oneOf(...[...repeat(3, 1, 2), 3].map((ordinal) => SubjectKey.make(ordinal)))

const membership = Arbitrary.all({
  segment,
  action: oneOf<"add" | "remove">("add", "add", "remove"),
  people: Arbitrary.array(anyPerson, { minLength: 1, maxLength: 3 }),
})

const deliveryId = oneOf("d-one", "d-two")

const channel = oneOf<Channel>("email", "push")

const maybeSomeone = oneOf(true, true, true, true, false).pipe(
  Arbitrary.flatMap((is) => (is ? anyReference : Arbitrary.Constant(null))),
)

const registerDelivery = Arbitrary.all({ deliveryId, channel, person: maybeSomeone }).pipe(
  Arbitrary.map((given): BodyOf<"RegisterDelivery"> => ({
    _tag: "RegisterDelivery",
    ...given,
    recipient: "recipient",
    subject: "Hello",
    sources: new Map(),
  })),
)

const reportMetric = Arbitrary.all({
  deliveryId,
  metric: oneOf<DeliveryMetric>("opened", "clicked"),
}).pipe(
  Arbitrary.map((given): BodyOf<"ReportMetric"> => ({
    _tag: "ReportMetric",
    ...given,
    recipient: null,
    reason: null,
    href: null,
    deviceToken: null,
    actionName: null,
    actionValue: null,
  })),
)

/** An alias command. The previous id is given twice: as a text of unknown kind, and as an anonymous id. */
const alias = Arbitrary.all({
  target: anyPerson,
  previous: oneOf<Extract<Reference, { _tag: "ByBareText" }>>(who.bareOne, who.bareAnn, who.bareAnonymous),
}).pipe(
  Arbitrary.map(({ previous, target }): BodyOf<"AliasPerson"> => ({
    _tag: "AliasPerson",
    target,
    previous,
    previousId: previous.value,
  })),
)

/** An identify that sets nothing but the identifier. */
export const identifyAs = (target: Reference): BodyOf<"IdentifyPerson"> => ({
  _tag: "IdentifyPerson",
  target,
  id: null,
  email: null,
  removeEmail: false,
  anonymousId: null,
  assignments: [],
  relationships: null,
  device: null,
  updateOnly: false,
})

/** A record of the ledger about somebody whom the workspace never had. */
const unknownErasure: ErasureRecord = {
  workspace: WorkspaceId.make(1),
  position: Sequence.make(1),
  at: 0,
  action: "delete",
  subjects: ["nobody"],
  identifiers: [],
  addresses: [],
  nextKey: SubjectKey.make(1),
}

/** Random commands of each kind. */
export const commandBodies: { readonly [T in Tag]: Arbitrary.Arbitrary<BodyOf<T>> } = {
  IdentifyPerson: identify,
  DeletePerson: Arbitrary.map(Arbitrary.all({ target: anyReference }), tagged("DeletePerson")),
  SuppressPerson: Arbitrary.map(Arbitrary.all({ target: anyReference }), tagged("SuppressPerson")),
  UnsuppressPerson: Arbitrary.map(Arbitrary.all({ target: anyReference }), tagged("UnsuppressPerson")),
  MergePeople: Arbitrary.map(
    Arbitrary.all({ primary: anyPerson, secondary: anyPerson }),
    tagged("MergePeople"),
  ),
  AliasPerson: alias,
  RecordEvent: event,
  AddDevice: Arbitrary.map(addDevice, tagged("AddDevice")),
  DeleteDevice: Arbitrary.map(Arbitrary.all({ target: anyReference, token }), tagged("DeleteDevice")),
  ChangeRelationships: Arbitrary.map(
    Arbitrary.all({ target: anyReference, action: relationAction, entries: objectEntries }),
    tagged("ChangeRelationships"),
  ),
  IdentifyObject: Arbitrary.map(
    Arbitrary.all({ object, assignments, entries: personEntries(0) }),
    tagged("IdentifyObject"),
  ),
  ChangeObjectRelationships: Arbitrary.map(
    Arbitrary.all({ object, action: relationAction, entries: personEntries(1) }),
    tagged("ChangeObjectRelationships"),
  ),
  DeleteObject: Arbitrary.map(Arbitrary.all({ object }), tagged("DeleteObject")),
  SubmitForm: submitForm,
  MapForm: mapForm,
  ChangeMembership: Arbitrary.map(membership, tagged("ChangeMembership")),
  CreateSegment: Arbitrary.Constant({
    _tag: "CreateSegment",
    name: "VIP",
    description: null,
    rule: null,
    announce: false,
  }),
  UpdateSegment: Arbitrary.map(
    Arbitrary.all({ segment, name: oneOf("VIP", "Gold"), announce: oneOf(false) }),
    tagged("UpdateSegment"),
  ),
  ReadHistory: Arbitrary.Constant({
    _tag: "ReadHistory",
    build: SubjectKey.make(1),
    until: Sequence.make(1),
    reading: 0,
    from: 0,
    ended: 1,
    to: 0,
    found: [],
  }),
  WalkPeople: Arbitrary.Constant({
    _tag: "WalkPeople",
    build: SubjectKey.make(1),
    until: Sequence.make(1),
    from: 0,
    to: SubjectKey.make(1),
    people: [],
  }),
  FinishBuild: Arbitrary.Constant({ _tag: "FinishBuild", build: SubjectKey.make(1) }),
  DeleteSegment: Arbitrary.map(Arbitrary.all({ segment }), tagged("DeleteSegment")),
  FollowTime: Arbitrary.map(
    Arbitrary.all({ person: oneOf(...[1, 2, 3].map((n) => SubjectKey.make(n))) }),
    tagged("FollowTime"),
  ),
  RegisterDelivery: registerDelivery,
  ReportMetric: reportMetric,
  UnsubscribeByDelivery: Arbitrary.map(
    Arbitrary.all({ deliveryId, unsubscribe: oneOf(true, true, false) }),
    tagged("UnsubscribeByDelivery"),
  ),
  RejectOperation: Arbitrary.Constant({ _tag: "RejectOperation", kind: "event" }),
  ReportExcess: Arbitrary.Constant({ _tag: "ReportExcess", requests: 4000 }),
  UnmergePeople: Arbitrary.Constant({
    _tag: "UnmergePeople",
    primary: SubjectKey.make(998),
    secondary: SubjectKey.make(999),
    receipt: { position: Sequence.make(1), mergedAt: 0, primary: {}, secondary: {}, ruled: [] },
    divide: false,
  }),
  RepeatErasure: Arbitrary.Constant({
    _tag: "RepeatErasure",
    record: unknownErasure,
    subjects: [SubjectKey.make(999)],
  }),
}
