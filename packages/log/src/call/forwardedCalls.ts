import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ForwardedAs, ForwardShape } from "@inlethq/core/forward/Forward"
import { provenanceOf, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { operationIdText, type Identifier } from "@inlethq/core/values/Identifier"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import { readTime, secondMs, toIso } from "@inlethq/core/values/Timestamp"
import type { Draft, Names, WhyNone } from "./Draft.ts"
import { personEntity } from "./Draft.ts"
import { entitiesOfEntry } from "./entitiesOfEntry.ts"
import { metricEvent } from "./metricEvent.ts"
import { isGone } from "./NamesReader.ts"
import { pipelinesCall } from "./pipelinesCall.ts"
import { sentEntity } from "./sentEntity.ts"
import { singleEntities } from "./singleEntities.ts"
import { entityOf } from "./trackV2Call.ts"

/** How a forward writes the calls of entries. */
export interface ForwardStyle {
  readonly to: ForwardShape
  readonly as: ForwardedAs
  /** Tells installations apart, so that ids of two of them never collide at one receiver. */
  readonly installation: string
  /** Returns the digest of a text, which tells the calls of one operation apart without naming anybody. */
  readonly digest: (text: string) => string
}

/**
 * Why an entry is no call of a forward. `unsaid` is an operation that neither API has a call for in a batch: the submission of a
 * form, a manual segment, or an event that names nobody.
 */
export type WhyNotForwarded = WhyNone | "unsaid"

/**
 * Returns what a forward sends for an entry, as items of a batch, or why it sends nothing. `told` names somebody who was erased by
 * the operation, because the entry itself does not. Items have ids that are the same however often they are sent.
 */
export const forwardedCalls = (
  record: ActivityRecord,
  names: Names,
  style: ForwardStyle,
  told: ReadonlyArray<Identifier> | null,
): ReadonlyArray<JsonObject> | WhyNotForwarded => {
  const { entry } = record
  if (!tookEffect(entry.outcome)) return "no_effect"
  if (isErasingKind(entry.kind))
    return told === null ? "erased" : itemsOf(entry, erasing(entry.kind, told), style)
  if (entry.kind === "delivery_metric") {
    const event = isGone(record) ? null : metricEvent(record, style.to)
    return event === null ? "unnamed" : [{ ...event, ...idIn(style.to, messageId(entry, style, "")) }]
  }
  // What was decided has no email that a setting of the workspace refused. The receiver's setting may be another.
  const emailsWereFixed = style.as === "sent" && names.emailsWereFixed
  const found = entitiesOfEntry(entry, isGone(record), { ...names, emailsWereFixed, mergeKey: null })
  if (typeof found === "string") return found
  const said = found.map((draft) => asVisitor(entry, draft)).filter(({ entity }) => isSaid(entity))
  return said.length === 0 ? "unsaid" : itemsOf(entry, said, style)
}

type ErasingKind = "delete" | "suppress" | "unsuppress"

/** Returns whether an operation of this kind erased somebody, or released a suppression: its entry keeps no identifier. */
export const isErasingKind = (kind: ActivityEntry["kind"]): kind is ErasingKind =>
  kind === "delete" || kind === "suppress" || kind === "unsuppress"

const erasing = (kind: ErasingKind, [first]: ReadonlyArray<Identifier>): ReadonlyArray<Draft> =>
  first === undefined ? [] : [personEntity(kind, first, {})]

/** An event of a visitor is theirs, although they may be somebody by now. */
const asVisitor = ({ anonymousId, kind }: ActivityEntry, draft: Draft): Draft =>
  kind === "anonymous_event" && anonymousId !== null && draft.entity["action"] === "event"
    ? { ...draft, entity: { ...draft.entity, identifiers: { anonymous_id: anonymousId } } }
    : draft

/** Forms and manual segments exist in the Track API v1 only, and have numbers of their own at the receiver. */
const isSaid = ({ action, identifiers, type }: JsonObject): boolean => {
  if (type === "object" || action === "merge") return true
  const named = identifiers !== undefined && isJsonObject(identifiers) ? Object.keys(identifiers) : []
  return type === "person" && action !== "unmerge" && named.length > 0
}

const itemsOf = (
  entry: ActivityEntry,
  drafts: ReadonlyArray<Draft>,
  style: ForwardStyle,
): ReadonlyArray<JsonObject> =>
  drafts
    .flatMap((draft, index) => {
      const singles = singleDrafts(style.to === "segment", asWanted(entry, draft, style))
      return singles.map((single) =>
        itemOf(entry, single, style, partOf(style, single, index, singles.length)),
      )
    })
    .filter((item) => item !== null)

const asWanted = (entry: ActivityEntry, draft: Draft, { as }: ForwardStyle): Draft =>
  as === "sent" ? { ...draft, entity: sentEntity(entry, draft.entity) } : draft

/** The Pipelines API relates one person to one object a call. */
const singleDrafts = (isSplit: boolean, draft: Draft): ReadonlyArray<Draft> =>
  isSplit ? singleEntities(draft.entity).map((entity) => ({ ...draft, entity })) : [draft]

const itemOf = (entry: ActivityEntry, draft: Draft, style: ForwardStyle, part: string): JsonObject | null => {
  const at = Math.min(readTime(draft.at ?? "") ?? entry.at, entry.receivedAt)
  const id = messageId(entry, style, part)
  const { context, integrations } = provenanceOf(entry)
  const told = {
    draft,
    device: null,
    origin: {
      ...(context !== undefined && { context }),
      ...(integrations !== undefined && { integrations }),
    },
    id,
    unread: {},
    at: toIso(at),
    orderTime: null,
    metadata: { action_name: null, action_value: null },
  }
  if (style.to === "track-v2") return { ...entityOf({ ...told, time: Math.floor(at / secondMs) }), id }
  const call = pipelinesCall({ ...told, time: toIso(at) })
  if (call === null || !isJsonObject(call.body)) return null
  const type = typeIn(call.path)
  // In strict mode, the deletion of an object has to name somebody.
  const isNameless = type === "track" && !("userId" in call.body) && !("anonymousId" in call.body)
  return { type, ...(isNameless && { anonymousId: id }), ...call.body }
}

const typeIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const messageId = (
  { batchIndex, sequence, workspace }: ActivityEntry,
  { installation }: ForwardStyle,
  part: string,
): string => `${installation}:${operationIdText(workspace, sequence, batchIndex)}${part}`

const partDigits = 16

/**
 * Returns what tells a call apart from the others of its operation. Once somebody is erased there are fewer calls, so it says whom the
 * call relates, and not the place of the call: otherwise a receiver would take one call for another that it had before.
 */
const partOf = (style: ForwardStyle, { entity }: Draft, index: number, singles: number): string => {
  const place = index === 0 ? "" : `:${index}`
  if (singles === 1) return place
  const { action, identifiers, svc_relationships: related } = entity
  const names = Array.isArray(related)
    ? related.map((one) => (isJsonObject(one) ? one["identifiers"] : null))
    : []
  const digest = style.digest(JSON.stringify([action, identifiers, names])).slice(0, partDigits)
  return `${place}:${digest}`
}

const idIn = (to: ForwardShape, id: string): JsonObject => (to === "segment" ? { messageId: id } : { id })
