import {
  operationIdText,
  operationSequence,
  Sequence,
  SubjectKey,
  svcIdKey,
  svcIdText,
  svcObjectIdKey,
  svcObjectIdText,
  WorkspaceId,
} from "@inlet/core/values/Identifier"
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { managementTexts } from "./managementTexts.ts"

/** A place in a list, written as opaque text. */
const cursor = <T>(
  place: Schema.Codec<T>,
  read: (text: string) => T | undefined,
  write: (place: T) => string,
) =>
  Schema.String.annotate({ description: "opaque: the `next` of the page before" }).pipe(
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

/** A place among people. */
export const PersonCursor = cursor(Schema.toType(SubjectKey), svcIdKey, svcIdText)

/** A place in the activity log. */
export const ActivityCursor = cursor(Schema.toType(Sequence), operationSequence, (sequence) =>
  operationIdText(sequence, null),
)

/** A place in a list by number; the letter says which list, so that none takes the cursor of another. */
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

/** A place among workspaces. */
export const WorkspaceCursor = numberCursor("w", WorkspaceId)

/** A place among objects. */
export const ObjectCursor = cursor(Schema.toType(SubjectKey), svcObjectIdKey, svcObjectIdText)

/** A place among segments. */
export const SegmentCursor = numberCursor("s", SubjectKey)

/** A place among forms. */
export const FormCursor = numberCursor("f", SubjectKey)

/** A place among deliveries. */
export const DeliveryCursor = numberCursor("d", SubjectKey)

/** A place among keys: the time when a key was made, and its id among those of the same time. */
export const KeyPlace = Schema.Struct({ createdAt: Schema.Int, keyId: Schema.NonEmptyString })
export type KeyPlace = typeof KeyPlace.Type

const keyPlace = /^(\d{1,15})\.(.+)$/

/** A place among the keys of a workspace. */
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
