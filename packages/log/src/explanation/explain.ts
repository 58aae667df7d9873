import { isEventKind, type ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { decisionTexts, ignoreTexts, noteTexts } from "@inlethq/core/log/operationTexts"
import { remediesOf, saying, sentenceOf } from "@inlethq/wire/texts/sentences"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { ExplanationDocument, NamedPerson } from "@inlethq/contract/activity/ExplanationDocument"
import { changeSentences } from "./changeSentences.ts"
import { keptAdvice, keptSentences } from "./keptSentences.ts"
import { listOf } from "./listOf.ts"
import { isPlaceholder } from "@inlethq/core/values/placeholder"
import { buildTitle, operationTitle } from "./operationTitle.ts"
import { pendingAdvice, pendingSentence } from "./pendingSentences.ts"
import { planCodes, planSentences } from "./planFacts.ts"
import { timeSentences } from "./timeSentences.ts"
import { staleSentences } from "./staleValues.ts"
import { findClause } from "../clauses/findClause.ts"

/** Facts about an operation that its log entry does not contain. */
export interface Circumstances {
  /** The brand in which the entry is written. */
  readonly brand: WrittenBrand
  /** Fields that a later operation overwrote, with the id of this operation. */
  readonly replacedLater: ExplanationDocument["overridden_by"]
  /**
   * Fields that the operation did not set because a newer value was already stored, with the id of the operation that
   * stored this value.
   */
  readonly newerBefore: ExplanationDocument["overridden_by"]
  /** The people to whom refused values of the operation belong. */
  readonly owners: ExplanationDocument["owners"]
}

/** Explains an operation in sentences. */
export const explain = (
  entry: ActivityDocument,
  { brand, newerBefore, owners, replacedLater }: Circumstances,
): ExplanationDocument => {
  const merge = mergeFor(entry, owners)
  const rule = entry.rule === null ? undefined : findClause(entry.rule)
  return {
    summary: [
      decision(entry, reasonWithOwners(entry, { brand, owners })),
      ...changeSentences(entry),
      ...noteSentences(entry, brand),
      ...keptSentences(entry),
      ...timeSentences(entry),
      ...staleSentences(entry, newerBefore),
      ...planSentences(entry),
      ...replacedSentence(replacedLater),
    ].join(" "),
    rule: rule === undefined ? null : { rule: rule.rule, title: rule.title, text: rule.text },
    advice: adviceFor(entry, { brand, owners }, merge),
    overridden_by: [...newerBefore, ...replacedLater],
    owners,
    merge,
  }
}

const takenIdentifiers = "contract §6 taken identifiers"

/** Returns who has the identifiers that an operation was refused because they belonged to somebody else. */
const takenFrom = (
  { refused }: ActivityDocument,
  owners: Circumstances["owners"],
): Circumstances["owners"] => {
  const taken = refused.filter(({ other, rule }) => other !== null && rule === takenIdentifiers)
  return taken.flatMap(({ path }) => owners.find((owner) => owner.path === path) ?? [])
}

/**
 * Returns the merge of the person of an operation with the person who has an identifier that the operation was refused.
 * The person of the operation remains, so that the sender's calls keep their person.
 */
const mergeFor = (entry: ActivityDocument, owners: Circumstances["owners"]): ExplanationDocument["merge"] => {
  const { email, id, svc_id } = entry.subject
  const owner = takenFrom(entry, owners).find(({ person }) => person.svc_id !== svc_id)?.person
  if (isPlaceholder(id ?? "") || isPlaceholder(owner?.id ?? "")) return null
  return owner === undefined || svc_id === null ? null : { primary: { svc_id, id, email }, secondary: owner }
}

const adviceFor = (
  entry: ActivityDocument,
  { brand, owners }: Pick<Circumstances, "brand" | "owners">,
  merge: ExplanationDocument["merge"],
): string => {
  const had = takenFrom(entry, owners).filter(({ person }) => person.svc_id === entry.subject.svc_id)
  const isAnswered = merge !== null || had.length > 0 || isPlaceholder(entry.subject.id ?? "")
  const others = remediesOf(brand, [
    ...entry.reasons.filter(({ code }) => !isAnswered || code !== decisionTexts.takenIdentifier.code),
    ...planCodes(entry),
  ])
  const sending = keptAdvice(entry)
  const advised = [
    ...sending,
    ...(had.length === 0 ? [] : [hadAdvice(had.map(({ path }) => path))]),
    ...(merge === null ? [] : [mergeAdvice(merge)]),
    ...others,
  ]
  if (advised.length === 0) return defaultAdvice(entry)
  return [...advised, ...(merge === null && others.length + sending.length === 0 ? [nothingToDo] : [])].join(
    " ",
  )
}

/** A merge after the operation, or a later call, gave the person what was refused. */
const hadAdvice = (paths: ReadonlyArray<string>): string =>
  `The person has this ${listOf(paths.map((path) => path.slice(path.lastIndexOf(".") + 1)))} by now.`

const nothingToDo = "There is nothing to do."

const mergeAdvice = ({ primary, secondary }: NonNullable<ExplanationDocument["merge"]>): string =>
  `If ${nameOf(primary)} and ${nameOf(secondary)} are the same person, merge ${nameOf(secondary)} into ${nameOf(primary)}. Otherwise correct the call.`

const nameOf = ({ email, id, svc_id }: NamedPerson): string => email ?? id ?? svc_id

/** Returns the reason of an operation, with the names of the people who have its refused identifiers. */
const reasonWithOwners = (
  { reasons, subject }: ActivityDocument,
  { brand, owners }: Pick<Circumstances, "brand" | "owners">,
): string | null =>
  sentenceOf(brand, reasons.filter(isCause), (reason) => {
    const owner = owners.find(({ path, person }) => path === reason.field && person.svc_id !== subject.svc_id)
    return owner === undefined || reason.code !== decisionTexts.takenIdentifier.code
      ? saying(brand, reason)
      : `${reason.field} belongs to ${nameOf(owner.person)}`
  })

const noteCodes: ReadonlySet<string> = new Set(Object.values(noteTexts).map(({ code }) => code))

/** Returns whether a reason says why something was not applied, and is no note beside the outcome. */
const isCause = ({ code }: { readonly code: string }): boolean => !noteCodes.has(code)

/** What the entry of an operation says beside its outcome. */
const noteSentences = ({ reasons }: ActivityDocument, brand: WrittenBrand): ReadonlyArray<string> =>
  reasons
    .filter((reason) => !isCause(reason))
    .map((reason) => saying(brand, reason))
    .map((note) => `${note.slice(0, 1).toUpperCase()}${note.slice(1)}.`)

/** Returns a sentence that says how the operation was decided. */
const decision = (entry: ActivityDocument, reason: string | null): string => {
  const operation = operationOf(entry)
  const because = reason === null ? "." : `: ${reason}.`
  switch (entry.outcome) {
    case "applied":
      return `${operation} was ${isEventKind(entry.kind) ? "stored" : "applied"}.`
    case "created":
      return `${operation} was applied and created ${createdThing(entry)}.`
    case "duplicate":
      return `${operation} was not applied again${because}`
    case "ignored":
      return `${operation} was ignored, because ${isOfBot(entry) ? reason : "the person is suppressed"}.`
    case "dropped":
      return `${operation} was dropped${because} Nothing was changed.`
    case "partial":
      return `${operation} was applied in part. Left out${because}`
    case "rejected":
      return `${operation} was rejected${because} Nothing was changed.`
    case "pending":
      return [pendingSentence(entry, operation), ...(reason === null ? [] : [`Left out: ${reason}.`])].join(
        " ",
      )
  }
}

const isOfBot = ({ reasons }: ActivityDocument): boolean =>
  reasons.some(({ code }) => code === ignoreTexts.bot.code)

const operationOf = (entry: ActivityDocument): string => {
  const { subject } = entry
  const { kind, name } = operationTitle(entry)
  const noun =
    entry.kind === null ? (entry.outcome === "rejected" ? "request" : changeOf(kind)) : nouns[entry.kind]
  const named = name === null ? noun : `${noun} ${JSON.stringify(name)}`
  const who = subject.email ?? subject.id ?? subject.anonymous_id ?? subject.svc_id
  const about =
    subject.object_id === null
      ? (who ?? segmentOf(entry, name))
      : `object ${subject.object_type_id}/${subject.object_id}`
  return about === null ? `The ${named}` : `The ${named} for ${about}`
}

/** Returns the segment that an operation is about, unless its title names it. */
const segmentOf = ({ kind, subject: { segment } }: ActivityDocument, title: string | null): string | null =>
  segment === undefined || (kind === null && title !== null) ? null : JSON.stringify(segment.name)

const changeOf = (thing: string): string => {
  if (thing === buildTitle) return "step of building a rule"
  return thing === "request" ? thing : `change of the ${thing}`
}

const nouns: Readonly<Record<ActivityKind, string>> = {
  identify: "identify call",
  delete: "delete call",
  suppress: "suppress call",
  unsuppress: "unsuppress call",
  merge: "merge",
  unmerge: "undoing of a merge",
  event: "event",
  page: "page view",
  screen: "screen view",
  add_device: "new device",
  delete_device: "deletion of a device",
  add_relationships: "new relationships",
  delete_relationships: "deletion of relationships",
  object_identify: "object update",
  object_delete: "object deletion",
  delivery_metric: "delivery report",
  unsubscribe: "unsubscribe",
  form_submission: "form submission",
  segment_add: "addition to a segment",
  segment_remove: "removal from a segment",
  segment_change: "change of a segment by time or by a new rule",
  anonymous_event: "anonymous event",
}

const createdThing = (entry: ActivityDocument): string => {
  const { kind, subject } = entry
  if (subject.object_id !== null) return "the object"
  if (kind === "delivery_metric") return "the delivery"
  if (kind === null) return `the ${operationTitle(entry).kind}`
  return subject.svc_id === null ? "a new entry of its kind" : "the person"
}

const replacedSentence = (replaced: Circumstances["replacedLater"]): ReadonlyArray<string> =>
  replaced.length === 0 ? [] : [`Later operations set ${listOf(replaced.map(({ path }) => path))} again.`]

const defaultAdvice = (entry: ActivityDocument): string => {
  switch (entry.outcome) {
    case "applied":
    case "created":
      return nothingToDo
    case "pending":
      return pendingAdvice(entry)
    case "duplicate":
      return "If the client sent the call again after a failure, there is nothing to do. Otherwise give each event its own id."
    case "ignored":
    case "dropped":
    case "partial":
    case "rejected":
      return "Compare the call with the rule, correct it, and send it again."
  }
}
