import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { Option, Schema } from "effect"
import type { Delivered } from "../sending/Delivered.ts"

/** What the answer to a request means for its items. */
export type Verdict =
  /** The receiver took the items, apart from those that it refused, by their index. */
  | { readonly _tag: "Taken"; readonly refused: ReadonlyMap<number, string> }
  /** The receiver took nothing, and refused these items. If it names none, each item may be the one it refused. */
  | { readonly _tag: "Refused"; readonly refused: ReadonlyMap<number, string> }
  /** The receiver took nothing, and may take everything later. */
  | { readonly _tag: "Failed" }
  /** The items came from the receiver. */
  | { readonly _tag: "Looped" }

/** The statuses of client errors that are about the request or its key, and not about what it contains. */
const aboutRequest: ReadonlySet<number> = new Set([
  401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 421, 423, 425, 426, 428, 429, 431, 451,
])

const partlyTaken = 207
const loopDetected = 508

/** The most bytes of a receiver's response that are read to find the items that it refused. */
export const forwardAnswerBytesMax = 64 * 1024

export const verdictOf = ({ answer = "", failure, status }: Delivered, items: number): Verdict => {
  if (failure === null) {
    if (status !== partlyTaken) return { _tag: "Taken", refused: new Map() }
    const refused = refusedIn(answer, items)
    if (refused !== null) return { _tag: "Taken", refused }
    // Fewer items have a shorter answer. One that broke off may be whole the next time.
    const isCut = Buffer.byteLength(answer) >= forwardAnswerBytesMax
    return isCut ? { _tag: "Refused", refused: new Map() } : { _tag: "Failed" }
  }
  if (status === loopDetected) return { _tag: "Looped" }
  const isRefused = status !== null && status >= 400 && status < 500 && !aboutRequest.has(status)
  return isRefused ? { _tag: "Refused", refused: refusedIn(answer, items) ?? new Map() } : { _tag: "Failed" }
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** Returns the items that an answer of the Track API v2 lists, with what it says about each, or null if it cannot be read. */
const refusedIn = (answer: string, items: number): ReadonlyMap<number, string> | null => {
  const refused = new Map<number, string>()
  if (answer === "") return refused
  const body = decodeJson(answer)
  if (Option.isNone(body)) return null
  for (const error of errorsIn(body.value)) {
    const index = isJsonObject(error) ? error["batch_index"] : undefined
    if (typeof index === "number" && Number.isInteger(index) && index >= 0 && index < items) {
      refused.set(index, JSON.stringify(error))
    }
  }
  return refused
}

const errorsIn = (body: Json): ReadonlyArray<Json> => {
  const errors = isJsonObject(body) ? body["errors"] : undefined
  return Array.isArray(errors) ? errors : []
}
