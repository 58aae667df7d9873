import { Schema } from "effect"
import { Identifier, type Sequence } from "../values/Identifier.ts"
import { isJsonObject, type Json } from "../values/Json.ts"
import { identifierSearch } from "./identifierSearch.ts"

/**
 * What is kept of a rejected call for `rejectedDays` of its workspace (contract §16 *rejected calls*). It never contains
 * credentials.
 */
export const RejectedCall = Schema.Struct({
  /** The path of the request, or null if the operation did not arrive over HTTP. */
  path: Schema.NullOr(Schema.String),
  /** The key with which the client authenticated, by its id and its name. */
  key: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  /** The beginning of the client's `User-Agent`. */
  userAgent: Schema.NullOr(Schema.String),
  /** The IP address of the client. */
  address: Schema.NullOr(Schema.String),
  /**
   * The item as sent, without credentials. Null if there was none, or if it was too large to keep. Of a body that is no
   * JSON, its beginning as text.
   */
  data: Schema.Json,
  /** The bytes of the item as JSON, if it was too large to keep. */
  cutFrom: Schema.NullOr(Schema.Int),
  /** Whether the client asked for errors in the answer, which the Pipelines API otherwise does not give. */
  strict: Schema.optionalKey(Schema.Literal(true)),
})
export type RejectedCall = typeof RejectedCall.Type

/** What is known of a request or batch item that was refused, or that may be refused when it is decided. */
export const SentCall = Schema.Struct({
  /** The name of the event, if the item has a valid one. */
  name: Schema.NullOr(Schema.String),
  /** The identifiers that the item has in the places for identifiers. */
  identifiers: Schema.Array(Identifier),
  /** The id of the form that the call submits. Missing if it submits none, and if the workspace omits nothing. */
  form: Schema.optionalKey(Schema.String),
  call: RejectedCall,
})
export type SentCall = typeof SentCall.Type

/** The largest number of characters of JSON that the item of one rejected call may have to be kept. */
export const rejectedDataMax = 64 * 1024

/**
 * The largest number of characters of JSON that the rejected calls of one workspace may have. The oldest make room. Each
 * call counts for `rowCharacters` more, which limits the number of calls that a commit has to add up.
 */
export const rejectedCharactersMax = 2 * 1024 * 1024
const rowCharacters = 256

/** The largest number of characters of a `User-Agent` that is kept. */
export const userAgentCharactersMax = 200

/** Returns the document that a store keeps of a rejected call. */
export const rejectedText = (call: RejectedCall): string => JSON.stringify(call)

/** Returns what a rejected call with this document counts towards `rejectedCharactersMax`. */
export const rejectedSize = (doc: string): number => doc.length + rowCharacters

/** A rejected call with its log position. */
export interface PlacedCall {
  readonly sequence: Sequence
  readonly call: Pick<RejectedCall, "path" | "data">
}

/** Returns the positions of the rejected calls that contain an identifier that was erased after they were recorded. */
export const erasedCalls = (
  calls: Iterable<PlacedCall>,
  erased: ReadonlyMap<string, Sequence>,
): ReadonlyArray<Sequence> => {
  if (erased.size === 0) return []
  const isErased = identifierSearch(erased)
  const found: Array<Sequence> = []
  for (const { call, sequence } of calls) {
    if (namesAny(call, (text) => isErased(text, sequence))) found.push(sequence)
  }
  return found
}

/** Returns whether a text of a rejected call, anywhere in its path or its data, names somebody. */
const namesAny = ({ data, path }: PlacedCall["call"], isNamed: (text: string) => boolean): boolean =>
  (path ?? "").split("/").some((segment) => isNamed(decoded(segment))) ||
  (typeof data === "string" ? isNamed(data) || wordsIn(data).some(isNamed) : contains(data, isNamed))

/** Returns the words of a body that is no JSON, as sent and without its escapes: each may be an identifier. */
export const wordsIn = (text: string): ReadonlyArray<string> => {
  const plain = decoded(
    text.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  )
  const words = [text, plain].flatMap((one) => one.split(/["'\s,:;=&{}[\]()<>]+/))
  return [...new Set(words)].filter((word) => word !== "")
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const contains = (value: Json, isNamed: (text: string) => boolean): boolean => {
  if (typeof value === "string") return isNamed(value)
  if (typeof value === "number") return isNamed(String(value))
  if (Array.isArray(value)) return value.some((item: Json) => contains(item, isNamed))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([key, item]) => isNamed(key) || contains(item, isNamed))
}
