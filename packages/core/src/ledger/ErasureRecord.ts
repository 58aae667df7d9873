import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** How much the profile of an erased person or visitor had. */
export const ErasedCounts = Schema.Struct({
  identifiers: Schema.Int,
  attributes: Schema.Int,
  devices: Schema.Int,
  relationships: Schema.Int,
  segments: Schema.Int,
  /** The people who were merged into the person. */
  merged: Schema.Int,
  visitors: Schema.Int,
})
export type ErasedCounts = typeof ErasedCounts.Type

/**
 * A record of the erasure ledger: somebody was deleted or suppressed, or a suppression was released. It is written in the
 * commit that hides the person and never changed. It names people only by keyed digests, so it holds no personal data
 * and can be kept longer than any backup.
 */
export const ErasureRecord = Schema.Struct({
  workspace: WorkspaceId,
  /** The log position of the operation. Everything that was recorded about the person before it is erased. */
  position: Sequence,
  /** The receipt time of the operation. */
  at: Schema.Int,
  action: Schema.Literals(["delete", "suppress", "unsuppress"]),
  /** Digests of the keys of the person, and of the visitors and merged people who belonged to them. The person comes first. */
  subjects: Schema.NonEmptyArray(Schema.String),
  /** Digests of the person's identifiers, as suppressions store them. */
  identifiers: Schema.Array(Schema.String),
  /**
   * Digests of identifiers that the person, or somebody merged into them, had lost before, and when: to another value, or by a
   * merge that freed them. Whoever has one since then is somebody else. Missing if there were none.
   */
  freed: Schema.optionalKey(Schema.Array(Schema.Struct({ at: Schema.Int, identifier: Schema.String }))),
  /** Digests of the person's email address, as deliveries store them. */
  addresses: Schema.Array(Schema.String),
  /** The next free key after the operation. No key in `subjects` reaches it. */
  nextKey: SubjectKey,
  /** Missing if there was no profile. */
  counts: Schema.optionalKey(ErasedCounts),
})
export type ErasureRecord = typeof ErasureRecord.Type

/** The place of a record in the ledger of its workspace. */
export const ErasurePlace = Schema.Struct({
  at: ErasureRecord.fields.at,
  position: ErasureRecord.fields.position,
})
export type ErasurePlace = typeof ErasurePlace.Type

/** Compares the places of two records of one workspace. */
export const byPlace = (a: ErasurePlace, b: ErasurePlace): number => a.at - b.at || a.position - b.position

/** The number of hexadecimal digits of a digest of a key. They only have to tell the keys of one workspace apart. */
const subjectDigits = 32

/** Returns the digest that the ledger has in place of a key. `digest` computes the digests of the key's workspace. */
export const subjectDigest = (digest: (text: string) => string, key: SubjectKey): string =>
  digest(`subject:${key}`).slice(0, subjectDigits)
