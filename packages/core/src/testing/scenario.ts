import { Effect, Option } from "effect"
import { present, type ActivityView, type EventKind } from "../Activity.ts"
import { decideAll } from "../Batch.ts"
import type { Command, DeletePerson, IdentifyPerson, RecordEvent, RejectOperation } from "../Command.ts"
import { Directory, everything, type ActivityFilter, type Page } from "../Directory.ts"
import {
  identifierText,
  SubjectKey,
  WorkspaceId,
  type Identifier,
  type IdentifierKind,
  type Reference,
  type Sequence,
} from "../Identifier.ts"
import type { Json } from "../Json.ts"
import { defaultLimits } from "../Limits.ts"
import type { Person } from "../person/Person.ts"
import { Store, type StoreUnavailable } from "../Store.ts"
import { needsOf, type Needs } from "../WorkingSet.ts"
import type { Workspace } from "../Workspace.ts"
import { expectSame, type LawBroken } from "./Law.ts"

/** When operations are received unless a scenario says otherwise. */
export const noon = 1_800_000_000_000

export const workspaceOf = (id: number): Workspace => ({
  id: WorkspaceId.make(id),
  name: `Workspace ${id}`,
  region: "us",
  identifiers: { id: true, email: true },
  emailUpdateById: false,
  eventMerging: true,
  rateLimit: "observe",
  limits: defaultLimits,
})

export const first = workspaceOf(1)
export const second = workspaceOf(2)

export const byId = (value: string): Reference => ({ _tag: "ByIdentifier", kind: "id", value })
export const byEmail = (value: string): Reference => ({ _tag: "ByIdentifier", kind: "email", value })
export const byAnonymousId = (value: string): Reference => ({
  _tag: "ByIdentifier",
  kind: "anonymous_id",
  value,
})
export const bySvcId = (key: number): Reference => ({ _tag: "BySvcId", key: SubjectKey.make(key) })

/** The parts of an envelope that scenarios vary. */
export interface Circumstances {
  readonly in?: Workspace
  readonly receivedAt?: number
  readonly at?: number
  readonly deduplicationKey?: string
  readonly batchIndex?: number
}

const envelope = (circumstances: Circumstances) => ({
  workspace: circumstances.in ?? first,
  source: "track-v2" as const,
  receivedAt: circumstances.receivedAt ?? noon,
  at: circumstances.at ?? circumstances.receivedAt ?? noon,
  originalTimestamp: null,
  batchIndex: circumstances.batchIndex ?? null,
  deduplicationKey: circumstances.deduplicationKey ?? null,
  faults: [],
})

export const identify = (
  target: Reference,
  attributes: ReadonlyArray<readonly [name: string, value: Json]> = [],
  given: Circumstances & {
    readonly id?: string
    readonly email?: string
    readonly anonymousId?: string
  } = {},
): IdentifyPerson => ({
  _tag: "IdentifyPerson",
  ...envelope(given),
  target,
  id: given.id ?? null,
  email: given.email ?? null,
  anonymousId: given.anonymousId ?? null,
  assignments: attributes.map(([name, value]) => ({ name, value })),
  updateOnly: false,
})

export const event = (
  target: Reference | null,
  name: string,
  given: Circumstances & { readonly kind?: EventKind; readonly data?: Json } = {},
): RecordEvent => ({
  _tag: "RecordEvent",
  ...envelope(given),
  kind: given.kind ?? "event",
  target,
  anonymousId: null,
  name,
  data: given.data ?? null,
})

export const remove = (target: Reference, given: Circumstances = {}): DeletePerson => ({
  _tag: "DeletePerson",
  ...envelope(given),
  target,
})

export const reject = (given: Circumstances = {}): RejectOperation => ({
  _tag: "RejectOperation",
  ...envelope(given),
  kind: "identify",
  faults: [{ reason: "required", field: "id", message: "is missing" }],
})

/** Loads, decides and commits one batch. */
export const apply = Effect.fnUntraced(function* (...commands: ReadonlyArray<Command>) {
  const store = yield* Store
  const decided = decideAll(yield* store.load(needsOf(commands)), commands)
  yield* store.commit(decided)
  return decided
})

const noNeeds: Needs = { identifiers: new Set(), subjects: new Set(), deduplication: new Set() }

/** What a batch would load that named these. */
export const load = Effect.fnUntraced(function* (needs: Partial<Needs>) {
  return yield* (yield* Store).load({ ...noNeeds, ...needs })
})

/** The text of an identifier in the first workspace unless another is given. */
export const textOf = (kind: IdentifierKind, value: string, workspace: Workspace = first): string =>
  identifierText(workspace.id, kind, value)

/** The person who carries an identifier, or null. */
export const personBy = Effect.fnUntraced(function* (identifier: Identifier, workspace: Workspace = first) {
  return Option.getOrNull(yield* (yield* Directory).carrier(workspace.id, identifier))
})

/** How a scenario reads a list: the pages it takes and their order. */
export interface Listing {
  readonly limit?: number
  readonly order?: "asc" | "desc"
  readonly workspace?: Workspace
}

/** All that operators see of the log under a filter, read page by page. */
export const activity = Effect.fnUntraced(function* (
  filter: Partial<ActivityFilter> = {},
  { limit = 3, order = "asc", workspace = first }: Listing = {},
): Effect.fn.Return<ReadonlyArray<ActivityView>, LawBroken | StoreUnavailable, Directory> {
  const directory = yield* Directory
  const records = yield* walk(limit, (after: Sequence | null) =>
    directory.activity(workspace.id, { ...everything, ...filter }, { limit, after, order }),
  )
  return records.map(present)
})

/** All people under a prefix, read page by page. */
export const people = Effect.fnUntraced(function* (
  prefix: string | null = null,
  { limit = 3, order = "asc", workspace = first }: Listing = {},
): Effect.fn.Return<ReadonlyArray<Person>, LawBroken | StoreUnavailable, Directory> {
  const directory = yield* Directory
  return yield* walk(limit, (after: SubjectKey | null) =>
    directory.people(workspace.id, prefix, { limit, after, order }),
  )
})

/** Sweeps until nothing is left to do. */
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
