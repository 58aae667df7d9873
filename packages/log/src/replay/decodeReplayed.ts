import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { resolvePerson } from "@inlethq/core/decision/resolvePerson"
import { mergesInto, type UndoableMerge } from "@inlethq/engine/erasures/merges"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Identifier, Sequence } from "@inlethq/core/values/Identifier"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"
import { Effect, Option, Result } from "effect"
import { decodeExported, exportedEnvelope } from "./decodeExported.ts"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import { reject } from "@inlethq/wire/decoding/reject"
import { requestTexts } from "@inlethq/wire/texts/wireTexts"

/** Where the people are found whom a replayed operation names. */
export interface ReplayTarget {
  readonly store: Store["Service"]
  readonly catalog: Catalog["Service"]
}

/** Returns whether decoding an entity reads the store, so that everything before it must be committed. */
export const readsStore = ({ addressed_by, merge }: ExportedEntity): boolean =>
  addressed_by !== undefined || merge !== undefined

/** Decodes an entity that was made from an exported document or a log entry. */
export const decodeReplayed = Effect.fnUntraced(function* (
  target: ReplayTarget,
  receipt: Receipt,
  exported: ExportedEntity,
): Effect.fn.Return<Result.Result<Command, RejectOperation>, StoreUnavailable> {
  if (exported.merge !== undefined) return yield* decodeUnmerge(target, receipt, exported, exported.merge)
  const decoded = decodeExported(receipt, exported)
  if (exported.addressed_by === undefined || Result.isFailure(decoded)) return decoded
  return Result.succeed(yield* bySvcId(target, decoded.success))
})

/** Addresses the person of an identify call by the key that the person has here. */
const bySvcId = Effect.fnUntraced(function* (
  { store }: ReplayTarget,
  command: Command,
): Effect.fn.Return<Command, StoreUnavailable> {
  if (command._tag !== "IdentifyPerson") return command
  const seen = yield* store.view(needsOf(command.workspace.id, [command]))
  const found = resolvePerson(seen, command.target)
  return found._tag === "KnownPerson"
    ? { ...command, target: { _tag: "BySvcId", key: found.person.key } }
    : command
})

/** Decodes the end of a merge, which names the merge by the key of what made it here. */
const decodeUnmerge = Effect.fnUntraced(function* (
  { catalog }: ReplayTarget,
  receipt: Receipt,
  exported: ExportedEntity,
  key: string,
): Effect.fn.Return<Result.Result<Command, RejectOperation>, StoreUnavailable> {
  const envelope = exportedEnvelope("UnmergePeople", receipt, exported)
  const primary = identifierIn(exported.entity)
  const person =
    primary === null ? Option.none() : yield* catalog.personByIdentifier(receipt.workspace.id, primary)
  const merge = Option.isNone(person)
    ? undefined
    : yield* mergeWithKey(catalog, person.value.person, envelope.receivedAt, key)
  if (merge === undefined) return Result.fail(reject(receipt, "merge", [requestTexts.unknownMerge("merge")]))
  return Result.succeed({
    ...envelope,
    primary: merge.primary,
    secondary: merge.secondary,
    receipt: merge.receipt,
    divide: false,
  })
})

const mergesPerRead = 50

const mergeWithKey = Effect.fnUntraced(function* (
  catalog: ReplayTarget["catalog"],
  person: Parameters<typeof mergesInto>[1],
  now: number,
  key: string,
): Effect.fn.Return<UndoableMerge | undefined, StoreUnavailable> {
  let after: Sequence | null = null
  do {
    const page: Page<UndoableMerge, Sequence> = yield* mergesInto(catalog, person, now, {
      after,
      limit: mergesPerRead,
      order: "desc",
    })
    const found = page.items.find(({ entry }) => entry.id === key)
    if (found !== undefined) return found
    after = page.next
  } while (after !== null)
  return undefined
})

const identifierIn = ({ primary = null }: JsonObject): Identifier | null => {
  if (!isJsonObject(primary)) return null
  for (const kind of ["id", "email", "anonymous_id"] as const) {
    const value = primary[kind]
    if (typeof value === "string" && value !== "") return { kind, value }
  }
  return null
}
