import { Effect, Option } from "effect"
import { toActivityView, type ActivityView } from "@inlethq/core/catalog/ActivityView"
import { decideInSlices } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { patchPerson } from "@inlethq/core/state/Person"
import { Catalog, noFilter, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import {
  type Identifier,
  type Sequence,
  type SubjectKey,
  type WorkspaceId,
} from "@inlethq/core/values/Identifier"
import type { ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { Needs } from "@inlethq/core/fold/Needs"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import { erasureDaysDefault } from "@inlethq/core/workspace/LakeSettings"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { first, workspaceOf } from "./commands.ts"
import { expectSame, type LawBroken } from "./Law.ts"

/**
 * Decides and commits one batch for each workspace that the commands name. Without commands, commits an empty batch.
 * Returns the entries of all batches, and the state after the last batch.
 */
export const apply = Effect.fnUntraced(function* (...commands: ReadonlyArray<Command>) {
  const [one = first.id, ...others] = new Set(commands.map(({ workspace }) => workspace.id))
  const { entries, state } = yield* applyIn(one, commands)
  let decided = { entries, state }
  for (const workspace of others) {
    const next = yield* applyIn(workspace, commands)
    decided = { entries: [...decided.entries, ...next.entries], state: next.state }
  }
  return decided
})

/** Decides and commits the commands of a workspace. */
const applyIn = Effect.fnUntraced(function* (workspace: WorkspaceId, commands: ReadonlyArray<Command>) {
  const own = commands.filter((command) => command.workspace.id === workspace)
  const written = (yield* Store).transact(needsOf(workspace, own), (seen) => decideInSlices(seen, own))
  return yield* Effect.flatten(written)
})

const noNeeds: Needs = {
  workspace: first.id,
  identifiers: new Set(),
  subjects: new Set(),
  deduplication: new Set(),
  freed: new Set(),
  looksBack: false,
  merges: false,
  concerns: {
    events: new Set(),
    eventTargets: [],
    identifies: [],
    renames: false,
    others: true,
    objects: false,
    deletesObjects: false,
    rules: false,
    receivedAt: 0,
  },
}

/** Returns the working set that a batch with the keys in `needs` would load. Uses the first workspace by default. */
export const load = Effect.fnUntraced(function* (needs: Partial<Needs>) {
  return yield* (yield* Store).view({ ...noNeeds, ...needs })
})

/** Returns the record of the person with an identifier, or null if the identifier is unknown. */
export const recordBy = Effect.fnUntraced(function* (identifier: Identifier, workspace: Workspace = first) {
  return Option.getOrNull(yield* (yield* Catalog).personByIdentifier(workspace.id, identifier))
})

/** Returns the person with an identifier, or null if the identifier is unknown. */
export const personBy = Effect.fnUntraced(function* (identifier: Identifier, workspace: Workspace = first) {
  return (yield* recordBy(identifier, workspace))?.person ?? null
})

/** The options of a list: page size, order and workspace. */
export interface Listing {
  readonly limit?: number
  readonly order?: "asc" | "desc"
  readonly workspace?: Workspace
}

/** Reads all entries that match a filter, as operators see them, page by page. */
export const activity = Effect.fnUntraced(function* (
  filter: Partial<ActivityFilter> = {},
  { limit = 3, order = "asc", workspace = first }: Listing = {},
): Effect.fn.Return<ReadonlyArray<ActivityView>, LawBroken | StoreUnavailable, Catalog> {
  const catalog = yield* Catalog
  const records = yield* walk(limit, (after: Sequence | null) =>
    catalog.activity(workspace.id, { ...noFilter, ...filter }, { limit, after, order }),
  )
  return records.map((record) => {
    const view = toActivityView(record)
    return view.person === null ? view : { ...view, person: patchPerson(view.person, {}) }
  })
})

/** Reads all people with an id or email that begins with a prefix, page by page. */
export const people = Effect.fnUntraced(function* (prefix: string | null = null, listing: Listing = {}) {
  const records = yield* list(
    (catalog, workspace, page) => catalog.people(workspace.id, prefix, page),
    listing,
  )
  return records.map(({ person }) => person)
})

/** Reads all items of a list in the order of their keys, page by page. */
export const list = Effect.fnUntraced(function* <Item>(
  read: (
    catalog: Catalog["Service"],
    workspace: Workspace,
    page: PageRequest<SubjectKey>,
  ) => Effect.Effect<Page<Item, SubjectKey>, StoreUnavailable>,
  { limit = 3, order = "asc", workspace = first }: Listing = {},
): Effect.fn.Return<ReadonlyArray<Item>, LawBroken | StoreUnavailable, Catalog> {
  const catalog = yield* Catalog
  return yield* walk(limit, (after: SubjectKey | null) => read(catalog, workspace, { limit, after, order }))
})

/** Returns all records of the erasure ledger of a workspace, read in pages of two. */
export const ledgerOf = Effect.fnUntraced(function* (workspace: Workspace = first) {
  const ledger = yield* ErasureLedger
  return yield* walk(2, (after: ErasurePlace | null) =>
    ledger.read(workspace.id, { limit: 2, after, order: "asc" }),
  )
})

/** Runs housekeeping until nothing is left to do. */
export const sweepAll = Effect.fnUntraced(function* (now: number) {
  const store = yield* Store
  let swept = yield* store.sweep(now)
  while (!swept.done) swept = yield* store.sweep(now)
})

const walk = Effect.fnUntraced(function* <Item, Cursor>(
  limit: number,
  read: (after: Cursor | null) => Effect.Effect<Page<Item, Cursor>, StoreUnavailable>,
): Effect.fn.Return<ReadonlyArray<Item>, LawBroken | StoreUnavailable> {
  const items: Array<Item> = []
  let after: Cursor | null = null
  do {
    const page: Page<Item, Cursor> = yield* read(after)
    yield* expectSame("a page holds at most its limit", page.items.length <= limit, true)
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  return items
})

/** Lets the lake of a workspace be written elsewhere from now on. */
export const moveLake = Effect.fnUntraced(function* (id: WorkspaceId) {
  const registry = yield* Registry
  const { id: _, ...settings } = workspaceOf(id)
  const found = yield* registry.workspace(id)
  const current = Option.isSome(found) ? found.value : yield* registry.createWorkspace(settings)
  yield* registry.updateWorkspace(current, {
    ...current,
    lake: { target: "folder", url: "/elsewhere", erasureDays: erasureDaysDefault },
  })
})
