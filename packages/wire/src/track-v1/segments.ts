import type { ChangeMembership } from "@inlethq/core/segment/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { emailIn, SubjectKey, type Reference } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { envelope } from "../decoding/envelope.ts"
import {
  addressBy,
  bySvcId,
  identifierFault,
  notText,
  readText,
  type IdentifierField,
} from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import { isAbsent, required } from "../decoding/fieldValues.ts"
import { resourceTexts, valueTexts } from "../texts/wireTexts.ts"

type IdKind = Exclude<IdentifierField, "anonymous_id">

/**
 * Decodes POST `/segments/{segment_id}/add_customers` and `/remove_customers` (track-api §4.3 rule 2, contract §12).
 * `segmentId` is the decoded path segment, `query` the raw query string without its question mark.
 */
export const decodeMembership = (
  receipt: Receipt,
  action: ChangeMembership["action"],
  segmentId: string,
  query: string,
  body: unknown,
): Result.Result<ChangeMembership, RejectOperation> => {
  const kind = action === "add" ? "segment_add" : "segment_remove"
  if (!isJsonObject(body)) return Result.fail(reject(receipt, kind, [notAnObject()]))
  const idKind = readIdKind(receipt, query)
  const people = readPeople(
    receipt,
    Result.getOrElse(idKind, () => "id" as const),
    body,
  )
  if (Result.isSuccess(idKind) && Result.isSuccess(people)) {
    const segment = readSegmentId(segmentId)
    return Result.succeed({
      ...envelope("ChangeMembership", receipt),
      segment,
      action,
      people: people.success,
    })
  }
  const faults = Result.isFailure(idKind) ? [idKind.failure] : []
  return Result.fail(
    reject(receipt, kind, Result.isFailure(people) ? [...faults, ...people.failure] : faults),
  )
}

const decimal = /^\d{1,16}$/

/** Parses the id of a segment. Returns null for a text that cannot be a segment id. */
const readSegmentId = (text: string): SubjectKey | null => {
  const n = decimal.test(text) ? Number(text) : 0
  return Number.isSafeInteger(n) && n > 0 ? SubjectKey.make(n) : null
}

const readIdKind = ({ brand }: Receipt, query: string): Result.Result<IdKind, Fault> => {
  const text = new URLSearchParams(query).get("id_type") ?? ""
  if (text === "" || text === "id") return Result.succeed("id")
  if (text === "email") return Result.succeed("email")
  return brand.names.get(text) === "svc_id"
    ? Result.succeed("svc_id")
    : Result.fail(resourceTexts.unknownIdType("id_type"))
}

/**
 * A reference that matches no person. Used in place of an invalid id, so that the operation counts this id as ignored.
 */
const noPerson: Reference = { _tag: "BySvcId", key: null }

const readPeople = (
  receipt: Receipt,
  kind: IdKind,
  body: JsonObject,
): Result.Result<ReadonlyArray<Reference>, ReadonlyArray<Fault>> => {
  const { ids } = body
  const max = receipt.workspace.limits.segmentIdsMax
  if (isAbsent(ids)) return Result.fail([required("ids")])
  if (!Array.isArray(ids)) return Result.fail([valueTexts.notArray("ids")])
  if (ids.length === 0) return Result.fail([resourceTexts.noIds("ids")])
  if (ids.length > max) {
    return Result.fail([resourceTexts.tooManyIds("ids", { max })])
  }
  const faults: Array<Fault> = []
  const people = ids.map((id: Json, index) => {
    const text = id === null ? undefined : readText(id)
    if (text === undefined) faults.push(notText(`ids.${index}`, id))
    return referenceTo(receipt, kind, text ?? null)
  })
  return faults.length > 0 ? Result.fail(faults) : Result.succeed(people)
}

/**
 * Returns a reference to the person with the id `text`. Returns `noPerson` if `text` is not a valid id of this kind
 * (track-api §4.3 rule 2).
 */
const referenceTo = (receipt: Receipt, kind: IdKind, text: string | null): Reference => {
  if (text === null || identifierFault(receipt, kind, text, "ids") !== undefined) return noPerson
  switch (kind) {
    case "svc_id":
      return bySvcId(receipt, text)
    case "id":
      return addressBy("id", text).target
    case "email": {
      const email = emailIn(text)
      return email === null ? noPerson : addressBy("email", email).target
    }
  }
}
