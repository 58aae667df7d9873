import { Effect } from "effect"
import { Catalog, noFilter, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { CommandOf } from "@inlethq/core/Command"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import { nameSearch } from "@inlethq/core/log/NameSearch"
import { NeedsCollector } from "@inlethq/core/fold/Needs"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import { foundIn } from "@inlethq/core/rule/readings"
import { isBuilt, type Reading, type RuleBuild } from "@inlethq/core/state/RuleBuild"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

/** The largest sizes of one step of a build. */
export interface StepSizes {
  /** The number of log entries that are read. */
  readonly entriesMax: number
  /** The number of readings that are begun. */
  readonly readingsMax: number
  /** The number of people and visitors for whom one command evaluates rules. */
  readonly peopleMax: number
  /** The number of commands that evaluate rules. The thread serves others between two of them. */
  readonly commandsMax: number
}

const defaultSizes: StepSizes = { entriesMax: 1000, readingsMax: 50, peopleMax: 250, commandsMax: 4 }

/** The largest number of rules that one command evaluates for all its people together, unless it has only `peopleMin`. */
const evaluationsMax = 5000
const peopleMin = 50

/** A command that continues a build. */
export type BuildStep = CommandOf<"ReadHistory" | "WalkPeople" | "FinishBuild">

/** Returns the fields that all commands of the server itself share. `at` is the time for which the command is meant. */
export const systemEnvelope = (
  workspace: Workspace,
  receivedAt: EpochMillis,
  at: EpochMillis = receivedAt,
): Envelope => ({
  workspace,
  source: "system",
  receivedAt,
  at,
  followsReceipt: false,
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: null,
  sender: null,
  faults: [],
})

/**
 * Returns the commands that continue the first build of a workspace; none if nothing is being built. Reads one part of the log or of the
 * people. The commands move the build, so they have no effect if another node sends them, too.
 */
export const nextBuildStep = (
  workspace: Workspace,
  now: EpochMillis,
  sizes: StepSizes = defaultSizes,
): Effect.Effect<ReadonlyArray<BuildStep>, StoreUnavailable, Store | Catalog> =>
  Effect.gen(function* () {
    const store = yield* Store
    const first = (yield* store.building).find((one) => one.workspace === workspace.id)
    if (first === undefined) return []
    const needs = new NeedsCollector(workspace.id)
    needs.concerns.others = true
    needs.subject(first.build)
    const seen = yield* store.view(needs)
    const build = seen.subjects.get(first.build)
    if (build?._tag !== "RuleBuild") return []
    const envelope = systemEnvelope(workspace, now)
    if (build.peopleBefore === null) return [yield* readPart(seen, build, envelope, sizes)]
    if (isBuilt(build)) return [{ ...envelope, _tag: "FinishBuild", build: build.key }]
    return yield* walkPart(seen, build, build.peopleBefore, envelope, sizes)
  })

/** Reads a part of the log. Most rules are about things that happened seldom or never, so one step may end many readings. */
const readPart = (
  { rules }: WorkingSet,
  build: RuleBuild,
  envelope: Envelope,
  { entriesMax, readingsMax }: StepSizes,
) =>
  Effect.gen(function* () {
    const { key, leaves, readTo, readings, readingsDone, until } = build
    const catalog = yield* Catalog
    const entries: Array<ActivityEntry> = []
    let [ended, to, left] = [0, readTo, entriesMax]
    for (const reading of readings.slice(readingsDone, readingsDone + readingsMax)) {
      const page = yield* catalog.activity(envelope.workspace.id, filterOf(reading), {
        limit: left,
        order: "asc",
        after: positionOf(to),
        end: until,
      })
      for (const { entry, isErased } of page.items) if (!isErased) entries.push(entry)
      left -= page.items.length
      to = page.next ?? 0
      if (page.next === null) ended++
      if (page.next !== null || left === 0) break
    }
    const step: BuildStep = {
      ...envelope,
      _tag: "ReadHistory",
      build: key,
      until,
      reading: readingsDone,
      from: readTo,
      ended,
      to,
      found: foundIn(rules, new Set(leaves), entries),
    }
    return step
  })

const filterOf = ({ kind, name, search }: Reading): ActivityFilter => ({
  ...noFilter,
  kind,
  name,
  search: search === null ? null : nameSearch(search),
})

const positionOf = (position: number): Sequence | null => (position === 0 ? null : Sequence.make(position))

const walkPart = (
  { rules }: WorkingSet,
  { key, settles, until, walkedTo }: RuleBuild,
  before: SubjectKey,
  envelope: Envelope,
  { commandsMax, peopleMax }: StepSizes,
) =>
  Effect.gen(function* () {
    const store = yield* Store
    const evaluable = Math.max(peopleMin, Math.floor(evaluationsMax / Math.max(1, rules.built.length)))
    const perCommand = Math.min(peopleMax, evaluable)
    const limit = perCommand * commandsMax
    const range = { after: walkedTo, before, relatedTo: settles?.object ?? null }
    const found = yield* store.holders(envelope.workspace.id, range, limit)
    const isLast = found.length < limit
    const steps: Array<BuildStep> = []
    let from = walkedTo
    for (let i = 0; i === 0 || i < found.length; i += perCommand) {
      const people = found.slice(i, i + perCommand)
      const ends = isLast && i + perCommand >= found.length
      const to = ends ? SubjectKey.make(before - 1) : (people.at(-1) ?? SubjectKey.make(before - 1))
      steps.push({ ...envelope, _tag: "WalkPeople", build: key, until, from, to, people })
      from = to
    }
    return steps
  })
