import { Arbitrary, Effect, Layer, type Cause, type Schema } from "effect"
import type { Command } from "@inlethq/core/Command"
import { Catalog, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import { isClaimed } from "@inlethq/core/decision/erasure"
import {
  identifierText,
  deliveryText,
  deviceText,
  formText,
  objectText,
  SubjectKey,
  WorkspaceId,
} from "@inlethq/core/values/Identifier"
import * as Memory from "@inlethq/storage-memory/Memory"
import type { AuditLog } from "@inlethq/core/ports/AuditLog"
import type { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { SubmitError } from "@inlethq/engine/commits/IngestBounds"
import { toPlainSubject } from "@inlethq/core/state/Subject"
import { noon, workspaceOf } from "../script/commands.ts"
import { plainDigest } from "../script/digest.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { activity, apply, ledgerOf, list, load, people, sweepAll } from "../script/scenario.ts"
import { itemsOf, sendTogether, withIngest, type Request } from "../script/sending.ts"
import { beginning, commandOf, hour, Script, type Step } from "../script/script.ts"

/*
 * Compares a store with the memory store, which is the reference. Both stores run the same commands, each with its own
 * batches and its own housekeeping. The results must be the same.
 */

type Side = "one" | "the other"
/** The services whose results are compared, and those whose data are copied. */
export type Services = Store | Catalog | Registry | AuditLog | ErasureLedger

/**
 * The time at which housekeeping runs if it must only erase deleted data. At this time, no data in the scripts has
 * reached the end of its retention.
 */
const beforeAnyWindow = noon

/** Gives both workspaces the segments and two of the three senders that the commands of every script name. */
export const begin = Effect.gen(function* () {
  const registry = yield* Registry
  for (const workspace of [1, 2]) {
    for (const userAgent of ["client/1.0", null]) {
      yield* registry.sender(WorkspaceId.make(workspace), { key: null, userAgent, route: "POST /v2/entity" })
    }
  }
  yield* apply(...beginning)
})

/**
 * Runs a script on the provided store. The script defines batches and housekeeping for two stores, and `side` selects
 * those of one store.
 */
export const play = (script: Script, side: Side) =>
  Effect.gen(function* () {
    yield* begin
    return yield* readAll(yield* playSteps(script, side, noon))
  })

/**
 * Runs the steps of a script, beginning at the time `start`. The requests of a batch are sent together, and those of the next
 * batch while up to three earlier batches are not answered yet. Returns the time of the last step.
 */
export const playSteps = ({ settings, steps }: Script, side: Side, start: number) =>
  Effect.gen(function* () {
    let now = start
    let batch: Array<Request> = []
    const inFlight: Array<Effect.Effect<unknown, SubmitError>> = []
    const inFlightMax = steps.length % 4
    for (const request of requestsOf(steps)) {
      const commands: Array<Command> = []
      for (const step of request) {
        now += step.hoursLater * hour
        commands.push(commandOf(step, now, settings))
      }
      batch.push(commands.length > 1 ? itemsOf(commands) : commands)
      const last = request.at(-1)
      if (last === undefined) continue
      if (endsBatch(last, side)) {
        inFlight.push(yield* sendTogether(batch))
        batch = []
        yield* Effect.all(inFlight.splice(0, inFlight.length - inFlightMax), { discard: true })
      }
      if (last.housekeeping === "none") continue
      // Housekeeping prunes by time, so whatever was sent before must be written.
      yield* Effect.all(inFlight.splice(0), { discard: true })
      yield* keepHouse(last, side, now)
    }
    yield* Effect.all([...inFlight, yield* sendTogether(batch)], { discard: true })
    return now
  }).pipe(withIngest)

/** Returns the steps of each request, which are the same for both stores. */
const requestsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<ReadonlyArray<Step>> => {
  const requests: Array<Array<Step>> = []
  for (const step of steps) {
    const current = requests.at(-1)
    const last = current?.at(-1)
    const isOpen =
      last?.endsBatch === "never" && last.housekeeping === "none" && last.workspace === step.workspace
    if (step.joins && isOpen) current?.push(step)
    else requests.push([step])
  }
  return requests
}

/** Reads everything that the store shows, runs all housekeeping, and reads everything again. */
export const readAll = (now: number) =>
  Effect.gen(function* () {
    const unswept = yield* readVisible
    yield* sweepAll(now)
    return { unswept, swept: yield* readVisible, state: yield* readState }
  })

const endsBatch = ({ endsBatch, housekeeping }: Step, side: Side): boolean =>
  endsBatch === "in both" || endsBatch === `in ${side}` || housekeeping === "sweep both"

const keepHouse = ({ housekeeping }: Step, side: Side, now: number) =>
  Effect.gen(function* () {
    if (housekeeping === "sweep both") yield* sweepAll(now)
    if (housekeeping === `erase in ${side}`) yield* sweepAll(beforeAnyWindow)
    if (housekeeping === `a step in ${side}`) yield* (yield* Store).sweep(beforeAnyWindow)
  })

const ids = [1, 2]

/** Reads all data that operators and clients can see. Erasing deleted data must not change these results. */
const readVisible = Effect.suspend(() =>
  Effect.forEach(ids, (id) =>
    Effect.gen(function* () {
      const workspace = WorkspaceId.make(id)
      const seen = yield* load({ workspace, deduplication: new Set(keys) })
      return {
        catalog: withoutKeysOfOthers(yield* readCatalog(id)),
        claimed: keys.filter((key) => isClaimed(seen, key)),
        next: [seen.nextKey, seen.nextSequence],
      }
    }),
  ),
)

/**
 * Removes references to other people and objects from a person or object. References to deleted people and objects
 * remain until housekeeping runs, and the two stores run housekeeping at different times. References to existing people
 * and objects are compared elsewhere, in the records of the catalog.
 */
const withoutKeysOfOthers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutKeysOfOthers)
  if (value instanceof Map || typeof value !== "object" || value === null) return value
  const parts = Object.entries(value).filter(([name]) => !("_tag" in value && keysOfOthers.has(name)))
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutKeysOfOthers(part)]))
}

const keysOfOthers = new Set(["relationships", "segments", "formerly"])

/** Reads the state that the next batches would load from the store, without what only some stores keep. */
const readState = Effect.suspend(() =>
  Effect.forEach(ids, (id) =>
    Effect.gen(function* () {
      const workspace = WorkspaceId.make(id)
      const { nextKey } = yield* load({ workspace })
      const {
        digest: _1,
        keepsChanges: _2,
        subjects,
        written: _3,
        ...seen
      } = yield* load({
        workspace,
        identifiers: new Set(texts),
        subjects: new Set(Array.from({ length: nextKey }, (_, i) => SubjectKey.make(i + 1))),
        deduplication: new Set(keys),
      })
      const byKey = [...subjects.values()].toSorted((a, b) => a.key - b.key)
      return { ...seen, subjects: byKey.map(toPlainSubject), ledger: yield* ledgerOf(workspaceOf(id)) }
    }),
  ),
)

const keys = [1, 2, 3].map((key) => `key ${key}`)

const readCatalog = (id: number) =>
  Effect.gen(function* () {
    const workspace = workspaceOf(id)
    const catalog = yield* Catalog
    const everybody = yield* list((_, { id }, page) => catalog.people(id, null, page), { workspace })
    const objects = yield* list((_, { id }, page) => catalog.objects(id, null, page), { workspace })
    return {
      everybody,
      everything: yield* activity({}, { workspace }),
      backwards: yield* activity({}, { workspace, order: "desc", limit: 4 }),
      applied: yield* activity({ outcome: "applied" }, { workspace }),
      pending: yield* activity({ outcome: "pending", kind: "event" }, { workspace }),
      filtered: yield* Effect.forEach(filters, (filter) => activity(filter, { workspace })),
      found: yield* Effect.forEach(["id", "object 1", "1/", "delivery 2", "ada", "grace"], (text) =>
        Effect.map(
          catalog.search(workspace.id, { text, personKey: null, objectKey: null, limit: 100 }),
          ({ found }) => found.map(({ exact, subject }) => [exact, subject._tag, subject.key]),
        ),
      ),
      searched: yield* people("ID", { workspace, order: "desc" }),
      theirs: yield* Effect.forEach(everybody, ({ person }) => activity({ person }, { workspace })),
      objects,
      related: yield* Effect.forEach(objects, ({ object }) =>
        list((_, { id }, page) => catalog.related(id, object.key, page), { workspace }),
      ),
      ofType: yield* list((_, { id }, page) => catalog.objects(id, "1", page), {
        workspace,
        order: "desc",
      }),
      types: yield* catalog.objectTypes(workspace.id),
      segments: yield* list((_, { id }, page) => catalog.segments(id, page), { workspace }),
      members: yield* Effect.forEach([1, 2, 3], (segment) =>
        list((_, { id }, page) => catalog.members(id, SubjectKey.make(segment), page), { workspace }),
      ),
      memberNames: yield* Effect.forEach([1, 2, 3], (segment) =>
        list((_, { id }, page) => catalog.memberNames(id, SubjectKey.make(segment), page), { workspace }),
      ),
      forms: yield* list((_, { id }, page) => catalog.forms(id, page), { workspace }),
      deliveries: yield* list((_, { id }, page) => catalog.deliveries(id, page), { workspace }),
      suppressed: yield* Effect.forEach([1, 2, 3], (n) =>
        catalog.isSuppressed(workspace.id, { kind: "id", value: `id ${n}` }),
      ),
    }
  })

/** Filters that the stores answer with their indexes of subjects, rules and reasons. */
const filters: ReadonlyArray<Partial<ActivityFilter>> = [
  ...[1, 2, 3].flatMap((n) =>
    [`id ${n}`, `${n}@example.com`, `anonymous ${n}`].map((text) => ({
      about: { people: [text], keys: [], objects: [] },
    })),
  ),
  { about: { people: ["id 1"], keys: [SubjectKey.make(4), SubjectKey.make(5)], objects: [] }, kind: "event" },
  { about: { people: [], keys: [], objects: [{ typeId: null, objectId: "object 1" }] } },
  { about: { people: ["anonymous 3"], keys: [], objects: [{ typeId: "2", objectId: "object 3" }] } },
  { rules: ["track-api §2.5", "contract §7 unattached events"] },
  { reasons: "any" },
  { reasons: ["is missing: id"], outcome: "rejected" },
]

const texts = [1, 2, 3].flatMap((n) => [
  identifierText("id", `id ${n}`),
  identifierText("email", n === 1 ? "one@example.com" : `${n}@example.com`),
  identifierText("email", `${n}@example.com`),
  identifierText("anonymous_id", `anonymous ${n}`),
  identifierText("anonymous_id", `id ${n}`),
  deviceText(`token ${n}`),
  deliveryText(`delivery ${n}`),
  formText(`form ${n}`),
  objectText(n === 3 ? "2" : "1", `object ${n}`),
])

/** An empty memory store, which is the reference. */
export const memoryStore = Memory.layer.pipe(Layer.provide(plainDigest))

/** Runs an effect on a new store. */
export const inNew =
  <S, E>(layer: Layer.Layer<S, E>) =>
  <A, E2>(effect: Effect.Effect<A, E2, S>) =>
    Effect.provide(effect, layer, { local: true })

/**
 * Runs a script on a store and on the memory store. Returns the first difference between the data of the two stores as
 * one line, or null if their data are equal.
 */
const divergence = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    const actual = yield* play(script, "one").pipe(inNew(store))
    const expected = yield* play(script, "the other").pipe(inNew(memoryStore))
    return firstDifference(actual, expected)
  })

/** Formats each step of a script as one line. */
const describeScript = ({ settings, steps }: Script): string =>
  [
    `settings ${JSON.stringify(settings)}`,
    ...steps.map((step, n) => {
      const { endsBatch, housekeeping, what, ...rest } = step
      return `${n + 1}. ${what} ${JSON.stringify(rest)}; batch ends: ${endsBatch}; housekeeping: ${housekeeping}`
    }),
  ].join("\n")

/**
 * The scripts (lists of commands) on which stores are compared: some scripts that are generated from a seed, or the
 * single script in a replay token.
 */
export interface Comparison {
  readonly runs: number
  readonly seed: string
  readonly replay?: string | undefined
}

/**
 * The result of a comparison. If the stores differ, `failure` describes the difference, the script, and how to run the
 * script again.
 */
export interface Compared {
  readonly runs: number
  readonly discards: number
  readonly failure: string | null
}

/**
 * Compares a store with the memory store on scripts that are generated from a seed. Reduces the first script that shows
 * a difference to a short script.
 */
export const compare = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => divergence(store, script), comparison)

/**
 * Searches for a script for which `differenceAfter` fails or returns a difference. Shortens the first script that it
 * finds as far as possible.
 */
export const compareScripts = <E>(
  differenceAfter: (script: Script) => Effect.Effect<string | null, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareCases(Script, describeScript, differenceAfter, comparison)

/** Does the same as `compareScripts` for scripts of another kind. */
export const compareCases = <S extends Steps, I, E>(
  schema: Schema.Codec<S, I>,
  describe: (script: S) => string,
  differenceAfter: (script: S) => Effect.Effect<string | null, E>,
  { replay, runs, seed }: Comparison,
): Effect.Effect<Compared> =>
  Arbitrary.checkEffect(Arbitrary.schema(schema), (script) => agrees(differenceAfter(script)), {
    runs,
    seed,
    replay,
    size: 60,
    maxShrinks: 1000,
  }).pipe(Effect.map((result) => comparedOf(result, describe, seed)))

interface Steps {
  readonly steps: ReadonlyArray<unknown>
}

const agrees = <E>(
  difference: Effect.Effect<string | null, E>,
): Effect.Effect<boolean, Divergence | Cause.Cause<unknown>> =>
  difference.pipe(
    Effect.sandbox,
    Effect.flatMap((where) =>
      where === null ? Effect.succeed(true) : Effect.fail({ where } satisfies Divergence),
    ),
  )

const comparedOf = <S extends Steps>(
  result: Arbitrary.CheckResult<S, Divergence | Cause.Cause<unknown>>,
  describe: (script: S) => string,
  seed: string,
): Compared => {
  switch (result._tag) {
    case "Passed":
      return { runs: result.runs, discards: result.discards, failure: null }
    case "Exhausted":
      return { runs: result.runs, discards: result.discards, failure: "too many scripts were discarded" }
    case "ReplayMismatch":
      return { runs: 0, discards: 0, failure: "the replay token names no script that fails now" }
    case "Falsified": {
      const { discards, failure, shrunkInput, shrinks } = result
      const why = failure._tag === "PropertyError" ? reasonOf(failure.error) : "returned false"
      const lines = [
        `the stores differ: ${why}`,
        `after ${shrunkInput.steps.length} steps (shrunk ${shrinks} times, from ${result.initialInput.steps.length})`,
        describe(shrunkInput),
        `seed: ${seed}`,
        `replay: ${result.replay}`,
      ]
      return { runs: result.runs, discards, failure: lines.join("\n") }
    }
  }
}

interface Divergence {
  readonly where: string
}

const reasonOf = (error: Divergence | Cause.Cause<unknown>): string =>
  "where" in error ? error.where : String(error)
