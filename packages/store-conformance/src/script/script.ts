import { Schema } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { SenderId } from "@inlethq/core/log/Sender"
import type { ObjectReference, Reference } from "@inlethq/core/values/Identifier"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import * as commands from "./commands.ts"
import * as segments from "./segmentCommands.ts"

/*
 * Random numbers from a small range. Commands are about so few people and objects that most commands affect the data of
 * other commands.
 */

const Few = Schema.Literals([1, 1, 2, 2, 3])
const Maybe = Schema.Union([Schema.Null, Schema.Null, Schema.Literals([1, 2, 3])])

/** One command of a script, and whether each of the two stores ends its batch after the command. */
export const Step = Schema.Struct({
  what: Schema.Literals([
    "identify",
    "identify",
    "identify",
    "identify",
    "event",
    "event",
    "event",
    "reject",
    "delete",
    "suppress",
    "unsuppress",
    "merge",
    "merge",
    "alias",
    "add device",
    "add device",
    "delete device",
    "relate",
    "relate",
    "unrelate",
    "identify object",
    "relate people",
    "unrelate people",
    "delete object",
    "submit form",
    "map form",
    "join",
    "join",
    "leave",
    "create segment",
    "delete segment",
    "register",
    "register",
    "report",
    "report",
    "report",
    "unsubscribe",
    "report excess",
    "follow time",
  ]),
  workspace: Schema.Literals([1, 1, 1, 2]),
  by: Schema.Literals(["id", "id", "email", "anonymous_id", "bare", "svc_id"]),
  who: Few,
  /** Selects the second person, for commands that name two people. */
  other: Few,
  /** Selects an object, a segment, a device, a form or a delivery. */
  thing: Few,
  id: Maybe,
  email: Maybe,
  anonymousId: Maybe,
  attribute: Schema.Literals(["plan", "1", "__proto__", "name", "last_name", "phone", "postcode"]),
  value: Schema.NullOr(Schema.Literals([1, 2, "", "Ada", "Grace Ada", "+1 555 0100 2"])),
  deduplicationKey: Maybe,
  hoursLater: Schema.Literals([0, 0, 1, 400]),
  hoursLate: Schema.Literals([0, 0, 1, 400]),
  /** Whether the step is a further item of the request before, if that is of the same workspace and ended no batch. */
  joins: Schema.Literals([false, false, true]),
  endsBatch: Schema.Literals(["never", "never", "in one", "in the other", "in both"]),
  /**
   * The housekeeping to run after the step. "erase" erases all deleted data in one store, and "a step" runs one step of
   * this work. "sweep both" runs all housekeeping in both stores.
   */
  housekeeping: Schema.Literals([
    "none",
    "none",
    "none",
    "none",
    "erase in one",
    "erase in the other",
    "a step in one",
    "a step in the other",
    "sweep both",
  ]),
})
export type Step = typeof Step.Type

/** The settings that a script gives to both of its workspaces. */
export const Settings = Schema.Struct({
  identifiedBy: Schema.Literals(["both", "both", "id", "email"]),
  emailUpdateById: Schema.Boolean,
  eventMerging: Schema.Boolean,
  attributesMax: Schema.Literals([300, 300, 2, 1]),
  objectAttributesMax: Schema.Literals([300, 300, 2, 1]),
  recordsMax: Schema.Union([Schema.Null, Schema.Literals([6, 3])]),
})
type Settings = typeof Settings.Type

/**
 * A list of commands that two stores receive in the same order. Each store has its own batches and its own
 * housekeeping.
 */
export const Script = Schema.Struct({
  settings: Settings,
  steps: Schema.Array(Step).check(Schema.isMinLength(1), Schema.isMaxLength(60)),
})
export type Script = typeof Script.Type

const workspaceOf = (id: number, settings: Settings): Workspace => ({
  ...commands.workspaceOf(id),
  identifiers: { id: settings.identifiedBy !== "email", email: settings.identifiedBy !== "id" },
  emailUpdateById: settings.emailUpdateById,
  eventMerging: settings.eventMerging,
  recordsMax: settings.recordsMax,
  limits: {
    ...defaultLimits,
    attributesPerPersonMax: settings.attributesMax,
    attributesPerObjectMax: settings.objectAttributesMax,
  },
})

export const hour = 60 * 60 * 1000

/**
 * Every script begins by creating the segments 1 and 2 in the first workspace, and the segment 1 in the second
 * workspace.
 */
export const beginning: ReadonlyArray<Command> = [1, 1, 2].map((id, i) =>
  segments.createSegment(`segment ${i}`, { in: commands.workspaceOf(id) }),
)

const called = (by: Step["by"], n: number): Reference => {
  switch (by) {
    case "id":
      return commands.byId(`id ${n}`)
    case "email":
      return commands.byEmail(n === 1 ? "One@example.com" : `${n}@example.com`)
    case "anonymous_id":
      return commands.byAnonymousId(`anonymous ${n}`)
    case "bare":
      return { _tag: "ByBareText", value: `id ${n}`, otherwise: { _tag: "BySvcId", key: null } }
    case "svc_id":
      return commands.bySvcId(n + 3)
  }
}

const objectCalled = ({ by, thing }: Step): ObjectReference =>
  by === "svc_id"
    ? commands.bySvcObjectId(thing + 4)
    : commands.objectOf(thing === 3 ? "2" : "1", `object ${thing}`)

const circumstancesOf = (step: Step, receivedAt: number, settings: Settings): commands.Circumstances => ({
  in: workspaceOf(step.workspace, settings),
  receivedAt,
  at: receivedAt - step.hoursLate * hour,
  // No sender has the number 3.
  sender: SenderId.make(step.other),
  ...(step.deduplicationKey !== null && { deduplicationKey: `key ${step.deduplicationKey}` }),
  ...(step.thing < 3 && { provenance: provenanceOf(step) }),
})

/** Few descriptions, of which commands of different people and batches share some. */
const provenanceOf = ({ thing, value, who }: Step): Provenance => ({
  context: {
    library: { name: "js", version: `${thing}` },
    device: { id: `device ${who}`, type: "ios" },
    ...(value !== null && { page: { search: `?who=${who}` } }),
  },
  ...(who === 2 && { integrations: { All: false }, bot: true, contextOmitted: ["own"] }),
})

/** Returns the command that a step describes. */
export const commandOf = (step: Step, receivedAt: number, settings: Settings): Command => {
  const circumstances = circumstancesOf(step, receivedAt, settings)
  const target = called(step.by, step.who)
  const attributes = [[step.attribute, step.value]] as const
  const token = `token ${step.thing}`
  switch (step.what) {
    case "identify":
      return commands.identify(target, attributes, {
        ...circumstances,
        ...(step.id !== null && { id: `id ${step.id}` }),
        ...(step.email !== null && { email: `${step.email}@example.com` }),
        ...(step.anonymousId !== null && { anonymousId: `anonymous ${step.anonymousId}` }),
        ...(step.thing === 3 && { relatedTo: [[objectCalled(step), attributes]] }),
        ...(step.value === 2 && {
          keptAs: [{ path: step.attribute, sent: "2", kept: 2, why: "rounded", cutFrom: null }],
        }),
      })
    case "event":
      return commands.event(target, `event ${step.who}`, {
        ...circumstances,
        data: { [step.attribute]: step.value },
        ...(step.anonymousId !== null && { anonymousId: `anonymous ${step.anonymousId}` }),
        ...(step.thing === 3 && { device: { _tag: "DeviceRemoval", token } }),
      })
    case "reject":
      return commands.reject(circumstances)
    case "delete":
      return commands.remove(target, circumstances)
    case "suppress":
      return commands.suppress(target, circumstances)
    case "unsuppress":
      return commands.unsuppress(target, circumstances)
    case "merge":
      return commands.merge(target, called("id", step.other), circumstances)
    case "alias":
      return commands.alias(target, `${step.id === null ? "id" : "anonymous"} ${step.other}`, circumstances)
    case "add device":
      return commands.addDevice(target, token, attributes, circumstances)
    case "delete device":
      return commands.deleteDevice(target, token, circumstances)
    default:
      return commandAboutThings({ ...step, what: step.what }, circumstances)
  }
}

/** Returns the email address of the recipient in a step. */
const recipientOf = ({ email }: Step): string | null =>
  email === null ? null : email === 1 ? "ONE@example.com" : `${email}@example.com`

type AboutThings = Exclude<
  Step["what"],
  | "identify"
  | "event"
  | "reject"
  | "delete"
  | "suppress"
  | "unsuppress"
  | "merge"
  | "alias"
  | "add device"
  | "delete device"
>

const commandAboutThings = (
  step: Step & { readonly what: AboutThings },
  circumstances: commands.Circumstances,
): Command => {
  const target = called(step.by, step.who)
  const other = called("id", step.other)
  const attributes = [[step.attribute, step.value]] as const
  const object = objectCalled(step)
  const people = [[target, attributes], [other]] as const
  const deliveryId = `delivery ${step.thing}`
  const formId = `form ${step.thing}`
  switch (step.what) {
    case "relate":
      return commands.relate(target, [[object, attributes]], circumstances)
    case "unrelate":
      return commands.unrelate(target, [[object]], circumstances)
    case "identify object":
      return commands.identifyObject(object, attributes, people, circumstances)
    case "relate people":
      return commands.relatePeople(object, people, circumstances)
    case "unrelate people":
      return commands.unrelatePeople(object, people, circumstances)
    case "delete object":
      return commands.deleteObject(object, circumstances)
    case "submit form":
      return commands.submitForm(
        formId,
        [
          ["id", `id ${step.who}`],
          [step.attribute, "x"],
        ],
        circumstances,
      )
    case "map form":
      return commands.mapForm(formId, [[step.attribute, `field ${step.who}`]], circumstances)
    case "join":
      return segments.joinSegment(step.thing, [target, other], circumstances)
    case "leave":
      return segments.leaveSegment(step.thing, [target, other], circumstances)
    case "create segment":
      return segments.createSegment(`segment ${step.who}`, circumstances)
    case "delete segment":
      return segments.deleteSegment(step.thing, circumstances)
    case "register":
      return commands.register(deliveryId, step.anonymousId === 1 ? null : target, {
        ...circumstances,
        recipient: recipientOf(step) ?? `recipient ${step.who}`,
        subject: `to ${step.who}`,
      })
    case "report":
      return commands.report(deliveryId, step.value === 1 ? "opened" : "clicked", {
        ...circumstances,
        ...(step.email !== null && { recipient: recipientOf(step) ?? "" }),
      })
    case "unsubscribe":
      return commands.unsubscribe(deliveryId, { ...circumstances, unsubscribe: step.value !== 1 })
    case "report excess":
      return commands.reportExcess(step.who, circumstances)
    case "follow time":
      return segments.followTime(step.who + 3, circumstances)
  }
}
