import { decideInSlices } from "@inlethq/core/Batch"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import { subjectDigest, type ErasurePlace, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import { ErasureLedger, erasureReadMax } from "@inlethq/core/ports/ErasureLedger"
import { Registry } from "@inlethq/core/ports/Registry"
import { nothingIsOld, Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import { repeatRecords } from "@inlethq/engine/erasures/repeatErasures"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option } from "effect"
import { subjectKey } from "../columns/ids.ts"
import { fromStored } from "../columns/storedText.ts"
import type { TransferSource, TransferTarget } from "./Transfer.ts"
import { firstCursor, transferTables } from "../columns/transferTables.ts"

/*
 * The target of a copy may have had the workspace before, and its erasure ledger stays when a workspace is deleted. If people
 * were erased there after the source was made, they are erased again in the copy before a server opens it.
 */

const ledger = transferTables.find(({ name }) => name === "erasures")

/** What the ledger of a target says about a workspace that is copied into it. */
export interface NewerErasures {
  /** The records that the source does not have, in the order in which they were made. */
  readonly records: ReadonlyArray<ErasureRecord>
  /** Whether the source has records that the target does not have, although the target has records of the workspace. */
  readonly isDivided: boolean
}

/** Compares the ledgers of a source and a target. Does not read that of the source if the target's is empty. */
export const newerErasures = Effect.fnUntraced(function* (
  source: TransferSource,
  target: TransferTarget,
  workspace: WorkspaceId,
): Effect.fn.Return<NewerErasures, StoreUnavailable> {
  const request = { limit: erasureReadMax, order: "asc" } as const
  let page = yield* target.erasures(workspace, { ...request, after: null })
  if (page.items.length === 0) return { records: [], isDivided: false }
  const known = yield* placesIn(source, workspace)
  const records: Array<ErasureRecord> = []
  for (;;) {
    for (const record of page.items) if (!known.delete(placeText(record))) records.push(record)
    if (page.next === null) return { records, isDivided: known.size > 0 }
    page = yield* target.erasures(workspace, { ...request, after: page.next })
  }
})

const identifiers = transferTables.find(({ name }) => name === "identifiers")

/**
 * Returns whether a key in the records is somebody else's in the source: that of a person with identifiers of whom the
 * record has none.
 */
export const nameSomebodyElse = Effect.fnUntraced(function* (
  source: TransferSource,
  workspace: WorkspaceId,
  records: ReadonlyArray<ErasureRecord>,
  digest: Digest["Service"],
): Effect.fn.Return<boolean, StoreUnavailable> {
  const digestOf = digestsOf(digest, workspace)
  const erased = new Map<string, ReadonlySet<string>>()
  for (const { action, identifiers: own, subjects } of records) {
    if (action !== "unsuppress")
      erased.set(subjects[0], new Set([...own, ...(erased.get(subjects[0]) ?? [])]))
  }
  /** Whether an identifier of a person was found in the record, by the key of the person. */
  const isSame = new Map<number, boolean>()
  if (identifiers === undefined) return false
  let cursor = firstCursor(identifiers)
  for (;;) {
    const page = yield* source.read(identifiers, workspace, cursor)
    if (page.rows.length === 0) return [...isSame.values()].includes(false)
    for (const [stored, subject] of page.rows) {
      const named = fromStored(String(stored))
      if (!/^(id|email):/u.test(named)) continue
      const key = subjectKey(Number(subject))
      const own = erased.get(subjectDigest(digestOf, key))
      if (own !== undefined) isSame.set(key, isSame.get(key) === true || own.has(digestOf(named)))
    }
    cursor = page.cursor
  }
})

const placeText = ({ at, position }: ErasurePlace): string => `${at}:${position}`

const placesIn = Effect.fnUntraced(function* (
  source: TransferSource,
  workspace: WorkspaceId,
): Effect.fn.Return<Set<string>, StoreUnavailable> {
  const places = new Set<string>()
  if (ledger === undefined) return places
  let cursor = firstCursor(ledger)
  for (;;) {
    const page = yield* source.read(ledger, workspace, cursor)
    if (page.rows.length === 0) return places
    for (const [at, position] of page.rows) places.add(`${at}:${position}`)
    cursor = page.cursor
  }
})

/** The pause before asking again for the lease of housekeeping. It expires when its holder was killed. */
const leasePause = "1 second"

/**
 * Erases again whom the records name, and removes their rows. Nobody else may use the store. A call that was killed can be
 * repeated. Returns the number of records that took effect.
 */
export const eraseCopied = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  records: ReadonlyArray<ErasureRecord>,
): Effect.fn.Return<number, StoreUnavailable, Catalog | ErasureLedger | Registry | Store | Digest> {
  const store = yield* Store
  const { erasing } = yield* ErasureLedger
  const found = yield* (yield* Registry).workspace(workspace)
  if (Option.isNone(found)) return 0
  const count = yield* repeatRecords(found.value, records, ({ id }, commands) =>
    Effect.flatten(store.transact(needsOf(id, commands), (seen) => decideInSlices(seen, commands))).pipe(
      // No server can delete the workspace during the copy.
      Effect.catchTag("WorkspaceDeleted", Effect.die),
    ),
  )
  for (;;) {
    const { done } = yield* store.sweep(nothingIsOld)
    if (!done) yield* Effect.yieldNow
    // A step does nothing while another process has the lease, for example a copy that was killed.
    else if ((yield* erasing(workspace)).length > 0) yield* Effect.sleep(leasePause)
    else return count
  }
})
