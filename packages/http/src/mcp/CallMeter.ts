import type { Principal } from "@inlethq/contract/access/Access"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Duration, Effect, Semaphore, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { actorOf, type AuditTrail } from "../audit/AuditTrail.ts"

/** The most calls of tools with one token in a minute, on each node. */
export const callsPerMinuteMax = 60

/** The time without a call after which the session of a token is over. */
const idleMs = 10 * minuteMs

type Write = Effect.Success<ReturnType<AuditTrail["Service"]["open"]>>

interface Session {
  readonly write: Write
  readonly counts: Map<string, number>
  lastCallAt: EpochMillis
  isWritten: boolean
}

interface Minute {
  readonly begunAt: EpochMillis
  calls: number
}

/** Counts the calls of each token: against its limit, and for the audit log. */
export interface CallMeter {
  /** Counts a call. Returns the seconds to wait if the token has made too many, otherwise null. */
  begin(
    principal: Principal["Service"],
    tool: string,
  ): Effect.Effect<number | null, StoreUnavailable, HttpServerRequest.HttpServerRequest>
}

/**
 * Makes a meter. A session is the calls of one token with no pause of `idleMs`, and has one audit record with its counts by tool, which is
 * brought up to date once a minute.
 */
export const makeCallMeter = Effect.fnUntraced(function* (
  trail: AuditTrail["Service"],
): Effect.fn.Return<CallMeter, never, Scope.Scope> {
  const minutes = new Map<string, Minute>()
  const sessions = new Map<string, Session>()

  const write = (id: string, session: Session, isOver: boolean) => {
    if (isOver) sessions.delete(id)
    if (session.isWritten && !isOver) return Effect.void
    session.isWritten = true
    return Effect.ignoreCause(session.write(Object.fromEntries(session.counts), isOver), unwritten)
  }
  const writeAll = (isOver: (session: Session) => boolean) =>
    Effect.suspend(() =>
      Effect.forEach([...sessions], ([id, session]) => write(id, session, isOver(session)), {
        discard: true,
      }),
    )
  const sweep = Effect.gen(function* () {
    yield* Effect.sleep(Duration.minutes(1))
    const now = yield* Clock.currentTimeMillis
    for (const [id, { begunAt }] of minutes) if (begunAt + minuteMs <= now) minutes.delete(id)
    yield* writeAll(({ lastCallAt }) => lastCallAt + idleMs <= now)
  })
  yield* Effect.forkScoped(Effect.forever(sweep))
  yield* Effect.addFinalizer(() => writeAll(() => true))

  const secondsToWait = (id: string, now: EpochMillis): number | null => {
    const minute = minutes.get(id)
    if (minute === undefined || minute.begunAt + minuteMs <= now) {
      minutes.set(id, { begunAt: now, calls: 1 })
      return null
    }
    if (minute.calls >= callsPerMinuteMax) return Math.ceil((minute.begunAt + minuteMs - now) / 1000)
    minute.calls++
    return null
  }

  // Calls that arrive together share the record that the first of them opens.
  const opening = yield* Semaphore.make(1)
  const sessionOf = Effect.fnUntraced(function* (principal: Principal["Service"], now: EpochMillis) {
    const known = sessions.get(principal.id)
    if (known !== undefined) return known
    const begun = { action: "mcp.session", actor: actorOf(principal), workspace: null, target: null } as const
    const write = yield* trail.open(begun)
    const session: Session = { write, counts: new Map(), lastCallAt: now, isWritten: false }
    sessions.set(principal.id, session)
    return session
  }, opening.withPermits(1))

  return {
    begin: Effect.fnUntraced(function* (principal, tool) {
      const now = yield* Clock.currentTimeMillis
      const wait = secondsToWait(principal.id, now)
      if (wait !== null) return wait
      const session = yield* sessionOf(principal, now)
      session.counts.set(tool, (session.counts.get(tool) ?? 0) + 1)
      session.lastCallAt = now
      session.isWritten = false
      return null
    }),
  }
})

const unwritten = {
  log: "Warn",
  message: "the calls of an MCP session were not written to the audit log",
} as const
