import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Deferred, Effect, Option, type Scope, Semaphore, Stream } from "effect"
import { madeFile, type ExportJob } from "./ExportJob.ts"

/** The number of people whose keys are written, and looked up, at a time. */
export const keysPerRead = 1000

const bytesPerKey = 8

/** The most exports of which it is known how far they were checked. Beyond it, the oldest is forgotten. */
const checkedMax = 10_000

/** The most exports whose people are looked up at the same time. Others wait, unless nobody was deleted since they were checked. */
export const checkingMax = 4

/** Returns the keys of people in an export as they are in the file that is kept of them. */
export const encodeKeys = (keys: ReadonlySet<SubjectKey>): Uint8Array => {
  const bytes = Buffer.alloc(keys.size * bytesPerKey)
  let at = 0
  for (const key of keys) at = bytes.writeDoubleLE(key, at)
  return bytes
}

/** Returns the keys that are in a file, some at a time. */
export const keysIn = <E>(file: Stream.Stream<Uint8Array, E>): Stream.Stream<ReadonlySet<SubjectKey>, E> =>
  file.pipe(
    Stream.mapAccum(
      () => Buffer.alloc(0),
      (rest, part) => {
        const bytes = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part])
        const whole = bytes.length - (bytes.length % bytesPerKey)
        const sets: Array<ReadonlySet<SubjectKey>> = []
        for (let from = 0; from < whole; from += keysPerRead * bytesPerKey) {
          const keys = new Set<SubjectKey>()
          const end = Math.min(whole, from + keysPerRead * bytesPerKey)
          for (let at = from; at < end; at += bytesPerKey) keys.add(SubjectKey.make(bytes.readDoubleLE(at)))
          sets.push(keys)
        }
        return [bytes.subarray(whole), sets] as const
      },
    ),
  )

interface Services {
  readonly catalog: Catalog["Service"]
  readonly store: Store["Service"]
  readonly files: ExportFiles["Service"]
}

/** What is known of an export. */
interface Checked {
  /** One check of an export runs at a time. The next one looks only at what came later. */
  readonly one: Semaphore.Semaphore
  /** The check that has not begun yet. It sees everything that is committed when somebody begins to wait for it. */
  waiting: Deferred.Deferred<boolean, StoreUnavailable> | null
  /** The position of the log up to which nobody in the export was deleted. */
  upTo: number
  isErased: boolean
}

/**
 * Finds out whether somebody in an export was deleted since it began. It remembers how far the log was when nobody was, and looks only at
 * what came later. A check ends even if nobody waits for it any longer, so that a client who asks again gets its result.
 */
export class ExportChecks {
  private readonly services: Services
  private readonly scope: Scope.Scope
  private readonly checked = new Map<string, Checked>()
  private readonly places = Semaphore.makeUnsafe(checkingMax)

  private constructor(services: Services, scope: Scope.Scope) {
    this.services = services
    this.scope = scope
  }

  static readonly make = (services: Services): Effect.Effect<ExportChecks, never, Scope.Scope> =>
    Effect.map(Effect.scope, (scope) => new ExportChecks(services, scope))

  isErased(workspace: WorkspaceId, job: ExportJob): Effect.Effect<boolean, StoreUnavailable> {
    return Effect.uninterruptibleMask((restore) => {
      const known = this.knownOf(workspace, job)
      if (known.isErased) return Effect.succeed(true)
      if (known.waiting !== null) return restore(Deferred.await(known.waiting))
      const waiting = Deferred.makeUnsafe<boolean, StoreUnavailable>()
      known.waiting = waiting
      return this.check(workspace, job, known).pipe(
        known.one.withPermits(1),
        Effect.forkIn(this.scope, { startImmediately: true }),
        Effect.andThen((fiber) => {
          // The scope can close before the check begins, and whoever waits must learn of that too.
          fiber.addObserver((exit) => {
            if (known.waiting === waiting) known.waiting = null
            Deferred.doneUnsafe(waiting, exit)
          })
          return restore(Deferred.await(waiting))
        }),
      )
    })
  }

  private knownOf(workspace: WorkspaceId, job: ExportJob): Checked {
    const name = `${workspace}.${job.id}.${job.attempt}`
    const found = this.checked.get(name)
    if (found !== undefined) return found
    const [oldest] = this.checked.keys()
    if (this.checked.size >= checkedMax && oldest !== undefined) this.checked.delete(oldest)
    const known = { one: Semaphore.makeUnsafe(1), waiting: null, upTo: job.after, isErased: false }
    this.checked.set(name, known)
    return known
  }

  private readonly check = Effect.fnUntraced(
    { self: this },
    function* (
      this: ExportChecks,
      workspace: WorkspaceId,
      job: ExportJob,
      known: Checked,
    ): Effect.fn.Return<boolean, StoreUnavailable> {
      const { catalog, files, store } = this.services
      known.waiting = null
      const end = (yield* store.view(needsOf(workspace, []))).nextSequence - 1
      if (known.isErased || known.upTo === end) return known.isErased
      if (yield* anyDeleted(catalog, workspace, known.upTo)) {
        const gone = keysIn(files.read(madeFile(workspace, job, "keys"))).pipe(
          Stream.mapEffect((keys) => hasGone(catalog, workspace, keys)),
          Stream.filter((isGone) => isGone),
          Stream.runHead,
        )
        known.isErased = Option.isSome(yield* this.places.withPermits(1)(gone))
      }
      if (!known.isErased) known.upTo = end
      return known.isErased
    },
  )
}

const anyDeleted = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  after: number,
) {
  if ((yield* catalog.prunedTo(workspace)) > after) return true
  const from = after < 1 ? null : Sequence.make(after)
  for (const kind of ["delete", "suppress"] as const) {
    const page = { after: from, limit: 1, order: "asc" } as const
    const { items } = yield* catalog.activity(workspace, { ...noFilter, kind }, page)
    if (items.length > 0) return true
  }
  return false
})

/** Those who were merged meanwhile are looked up by whom they belong to. */
const hasGone = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
) {
  const owners = yield* catalog.ownersAmong(workspace, keys)
  if (owners.size < keys.size) return true
  const others = new Set(
    [...owners].flatMap(([key, { owner }]) => (owner === null || owner === key ? [] : [owner])),
  )
  return others.size > 0 && (yield* catalog.goneAmong(workspace, others)).size > 0
})
