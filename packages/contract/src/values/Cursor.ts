import { AuditPosition } from "@inlethq/core/audit/AuditRecord"
import { ImportId } from "@inlethq/core/ports/ImportJobs"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { AttemptKey } from "@inlethq/core/webhook/Attempt"
import { Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { managementTexts } from "./managementTexts.ts"

const isImportId = Schema.is(ImportId)

/** Defines a kind of cursor. A cursor is a position in a list, encoded as opaque text. */
const cursor = <T>(
  place: Schema.Codec<T>,
  read: (text: string) => T | undefined,
  write: (place: T) => string,
) =>
  Schema.String.annotate({ description: "an opaque cursor: the `next` of the previous page" }).pipe(
    Schema.decodeTo(
      place,
      SchemaTransformation.transformEffect({
        decode: (text: string) => {
          const found = read(text)
          return found === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: managementTexts.wrongCursor() }))
            : Effect.succeed(found)
        },
        encode: (found: T) => Effect.succeed(write(found)),
      }),
    ),
  )

/**
 * Defines a kind of cursor that holds a number. The cursor begins with the letter of its list, so that all other lists
 * reject the cursor.
 */
const numberCursor = <N extends number>(letter: string, number: Schema.Codec<N, number>) => {
  const pattern = new RegExp(`^${letter}([1-9]\\d{0,14})$`)
  const toNumber = Schema.decodeSync(number)
  return cursor(
    Schema.toType(number),
    (text) => {
      const [, digits] = pattern.exec(text) ?? []
      return digits === undefined ? undefined : toNumber(Number(digits))
    },
    (n) => `${letter}${n}`,
  )
}

/** The cursor of the activity log. */
export const ActivityCursor = numberCursor("a", Sequence)

/**
 * The id of an event in the activity stream: the log position of its entry. Cursors of lists begin with a letter, but
 * this id does not.
 */
export const StreamPosition = numberCursor("", Sequence)

/** The cursor of the list of people. */
export const PersonCursor = numberCursor("p", SubjectKey)

/** The cursor of the list of workspaces. */
export const WorkspaceCursor = numberCursor("w", WorkspaceId)

/** The cursor of the list of objects. */
export const ObjectCursor = numberCursor("o", SubjectKey)

/** The cursor of the list of segments. */
export const SegmentCursor = numberCursor("s", SubjectKey)

/** The cursor of the list of forms. */
export const FormCursor = numberCursor("f", SubjectKey)

/** The cursor of the list of deliveries. */
export const DeliveryCursor = numberCursor("d", SubjectKey)

/** A position in the list of API keys. Keys are sorted by creation time, and keys created at the same time by id. */
export const KeyPlace = Schema.Struct({ createdAt: Schema.Int, keyId: Schema.NonEmptyString })
export type KeyPlace = typeof KeyPlace.Type

const keyPlace = /^(\d{1,15})\.(.+)$/

/** The cursor of the list of keys. */
export const KeyCursor = cursor(
  KeyPlace,
  (text): KeyPlace | undefined => {
    const [, createdAt, keyId] = keyPlace.exec(text) ?? []
    return createdAt === undefined || keyId === undefined
      ? undefined
      : { createdAt: Number(createdAt), keyId }
  },
  ({ createdAt, keyId }) => `${createdAt}.${keyId}`,
)

/** A position in the list of management tokens, which is sorted by creation time and then by id. */
export const TokenPlace = Schema.Struct({ createdAt: Schema.Int, tokenId: Schema.NonEmptyString })
export type TokenPlace = typeof TokenPlace.Type

const tokenPlace = /^mt(\d{1,15})\.(.+)$/

/** The cursor of the list of management tokens. */
export const TokenCursor = cursor(
  TokenPlace,
  (text): TokenPlace | undefined => {
    const [, createdAt, tokenId] = tokenPlace.exec(text) ?? []
    return createdAt === undefined || tokenId === undefined
      ? undefined
      : { createdAt: Number(createdAt), tokenId }
  },
  ({ createdAt, tokenId }) => `mt${createdAt}.${tokenId}`,
)

/** A position in the list of sessions, which is sorted by creation time and then by id. */
const SessionPosition = Schema.Struct({ createdAt: Schema.Int, sessionId: Schema.NonEmptyString })

const sessionPlace = /^cs(\d{1,15})\.(\w{1,40})$/

/** The cursor of the list of sessions. */
export const SessionCursor = cursor(
  SessionPosition,
  (text): typeof SessionPosition.Type | undefined => {
    const [, createdAt, sessionId] = sessionPlace.exec(text) ?? []
    return createdAt === undefined || sessionId === undefined
      ? undefined
      : { createdAt: Number(createdAt), sessionId }
  },
  ({ createdAt, sessionId }) => `cs${createdAt}.${sessionId}`,
)

/**
 * A position in the list of webhooks. The list is sorted by creation time. Webhooks with the same creation time are
 * sorted by id.
 */
export const WebhookPlace = Schema.Struct({ createdAt: Schema.Int, webhookId: Schema.NonEmptyString })
export type WebhookPlace = typeof WebhookPlace.Type

const webhookPlace = /^wh(\d{1,15})\.(.+)$/

/** The cursor of the list of webhooks. */
export const WebhookCursor = cursor(
  WebhookPlace,
  (text): WebhookPlace | undefined => {
    const [, createdAt, webhookId] = webhookPlace.exec(text) ?? []
    return createdAt === undefined || webhookId === undefined
      ? undefined
      : { createdAt: Number(createdAt), webhookId }
  },
  ({ createdAt, webhookId }) => `wh${createdAt}.${webhookId}`,
)

/** A position in the list of destinations, which is sorted by kind, then by creation time, and then by id. */
export const DestinationPlace = Schema.Struct({
  rank: Schema.Int,
  createdAt: Schema.Int,
  id: Schema.String,
})
export type DestinationPlace = typeof DestinationPlace.Type

const destinationPlace = /^de(\d)\.(\d{1,15})\.(.*)$/

/** The cursor of the list of destinations. */
export const DestinationCursor = cursor(
  DestinationPlace,
  (text): DestinationPlace | undefined => {
    const [, rank, createdAt, id] = destinationPlace.exec(text) ?? []
    return rank === undefined || createdAt === undefined || id === undefined
      ? undefined
      : { rank: Number(rank), createdAt: Number(createdAt), id }
  },
  ({ createdAt, id, rank }) => `de${rank}.${createdAt}.${id}`,
)

/** A position in the list of saved views, which is sorted by creation time and then by id. */
export const ViewPlace = Schema.Struct({ createdAt: Schema.Int, viewId: Schema.NonEmptyString })
export type ViewPlace = typeof ViewPlace.Type

const viewPlace = /^sv(\d{1,15})\.(.+)$/

/** The cursor of the list of saved views. */
export const ViewCursor = cursor(
  ViewPlace,
  (text): ViewPlace | undefined => {
    const [, createdAt, viewId] = viewPlace.exec(text) ?? []
    return createdAt === undefined || viewId === undefined
      ? undefined
      : { createdAt: Number(createdAt), viewId }
  },
  ({ createdAt, viewId }) => `sv${createdAt}.${viewId}`,
)

const auditPlace = /^au([1-9]\d{0,15})\.(\d{1,10})$/

const AuditPlace = Schema.toType(
  Schema.Struct({ position: AuditPosition, workspace: Schema.NullOr(WorkspaceId) }),
)

/** The cursor of the audit log. The installation counts as workspace 0. */
export const AuditCursor = cursor(
  AuditPlace,
  (text): typeof AuditPlace.Type | undefined => {
    const [, position, workspace] = auditPlace.exec(text) ?? []
    if (position === undefined || !Number.isSafeInteger(Number(position))) return undefined
    return {
      position: AuditPosition.make(Number(position)),
      workspace: Number(workspace) === 0 ? null : WorkspaceId.make(Number(workspace)),
    }
  },
  ({ position, workspace }) => `au${position}.${workspace ?? 0}`,
)

const erasurePlace = /^er([1-9]\d{0,14})\.([1-9]\d{0,14})$/

const ErasurePlace = Schema.toType(Schema.Struct({ at: Schema.Int, position: Sequence }))

/** The cursor of the list of erasures. */
export const ErasureCursor = cursor(
  ErasurePlace,
  (text): typeof ErasurePlace.Type | undefined => {
    const [, at, position] = erasurePlace.exec(text) ?? []
    return at === undefined ? undefined : { at: Number(at), position: Sequence.make(Number(position)) }
  },
  ({ at, position }) => `er${at}.${position}`,
)

const pairPlace = /^dp([1-9]\d{0,14})\.([1-9]\d{0,14})$/

const PairPlace = Schema.toType(Schema.Struct({ one: SubjectKey, other: SubjectKey }))

/** The cursor of the list of dismissed pairs of people. */
export const PairCursor = cursor(
  PairPlace,
  (text): typeof PairPlace.Type | undefined => {
    const [, one, other] = pairPlace.exec(text) ?? []
    return one === undefined
      ? undefined
      : { one: SubjectKey.make(Number(one)), other: SubjectKey.make(Number(other)) }
  },
  ({ one, other }) => `dp${one}.${other}`,
)

/** The cursor of the list of people who may be one. */
export const DuplicateCursor = numberCursor("a", Sequence)

/** The cursor of the list of imports that go on. */
export const ImportCursor = cursor(
  Schema.toType(ImportId),
  (text) => (isImportId(text) ? text : undefined),
  (id) => id,
)

/** The cursor of the errors of an import: the number of one of them. */
export const ImportErrorCursor = numberCursor("e", Schema.Int)

/** The cursor of the list of attempts of a webhook. */
export const AttemptCursor = numberCursor("t", AttemptKey)

const TypePlace = Schema.Struct({ kind: Schema.String, name: Schema.String })

const TypePlaceText = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(Schema.fromJsonString(Schema.Tuple([Schema.String, Schema.String]))),
)
const readTypePlace = Schema.decodeUnknownOption(TypePlaceText)
const writeTypePlace = Schema.encodeSync(TypePlaceText)

/** The cursor of the list of names that are summarized. */
export const TypeCursor = cursor(
  TypePlace,
  (text): typeof TypePlace.Type | undefined => {
    if (!text.startsWith("n.")) return undefined
    const found = readTypePlace(text.slice(2))
    if (Option.isNone(found)) return undefined
    const [kind, name] = found.value
    return { kind, name }
  },
  ({ kind, name }) => `n.${writeTypePlace([kind, name])}`,
)
