import { Schema } from "effect"
import type { ErasureRecord } from "../ledger/ErasureRecord.ts"
import { Identifier, type Sequence } from "../values/Identifier.ts"

const Names = Schema.fromJsonString(Schema.Array(Identifier))
const encodeNames = Schema.encodeSync(Names)
const decodeNames = Schema.decodeUnknownSync(Names)

type Digest = (text: string) => string

/**
 * Encrypts the identifiers of somebody who was erased, so that forwards can still tell them to their receivers. The log itself
 * keeps none. Returns null if there is nothing to tell: no receiver can be told of somebody who had an anonymous id only.
 * `digest` computes the digests of the workspace, which are hexadecimal.
 */
export const sealedNames = (
  digest: Digest,
  { at, position }: Pick<ErasureRecord, "at" | "position">,
  named: ReadonlyArray<Identifier>,
): string | null => {
  const told = named.filter(({ kind }) => kind !== "anonymous_id")
  return told.length === 0 ? null : hexOf(mixed(digest, placeOf(at, position), encodeText(told)))
}

/** Decrypts what `sealedNames` encrypted for the same operation. Fails with a defect if the key is another one. */
export const openedNames = (
  digest: Digest,
  { at, sealed, sequence }: { readonly at: number; readonly sequence: Sequence; readonly sealed: string },
): ReadonlyArray<Identifier> =>
  decodeNames(
    decodeURIComponent(String.fromCharCode(...mixed(digest, placeOf(at, sequence), bytesOf(sealed)))),
  )

const encodeText = (named: ReadonlyArray<Identifier>): Uint8Array =>
  Uint8Array.from(encodeURIComponent(encodeNames(named).toWellFormed()), (character) =>
    character.charCodeAt(0),
  )

/** The receipt time stands beside the position, because data that were restored can get a position twice. */
const placeOf = (at: number, position: Sequence): string => `${position}:${at}`

/** Mixes bytes with a key stream that is made of digests, so that mixing twice gives the same bytes. */
const mixed = (digest: Digest, place: string, bytes: Uint8Array): Uint8Array => {
  let stream: ReadonlyArray<number> = []
  let block = 0
  return bytes.map((byte, i) => {
    while (i >= stream.length) stream = [...stream, ...bytesOf(digest(`forward names:${place}:${block++}`))]
    return byte ^ (stream[i] ?? 0)
  })
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: Math.floor(hex.length / 2) }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  )

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
