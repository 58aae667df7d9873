import {
  ConsoleSessions,
  sessionsPerPrincipalMax,
  spentSignInsMax,
  type SessionPlace,
} from "@inlethq/core/ports/ConsoleSessions"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ConsoleSession } from "@inlethq/core/workspace/ConsoleSession"
import { Effect, Layer, Option } from "effect"

/** Stores in memory which sessions are open, and which sign-ins were used. */
export const layer: Layer.Layer<ConsoleSessions> = Layer.sync(ConsoleSessions, () => {
  const sessions = new Map<string, ConsoleSession>()
  const spent = new Map<string, EpochMillis>()
  return ConsoleSessions.of({
    add: (session, now) =>
      Effect.sync(() => {
        for (const [id, { expiresAt }] of sessions) if (expiresAt <= now) sessions.delete(id)
        if (!sessions.has(session.sessionId)) sessions.set(session.sessionId, session)
        const own = [...sessions.values()].filter(({ principalId }) => principalId === session.principalId)
        for (const { sessionId } of own.toSorted(newestFirst).slice(sessionsPerPrincipalMax))
          sessions.delete(sessionId)
      }),
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(sessions.get(id))),
    end: (id) =>
      Effect.sync(() => {
        const found = Option.fromUndefinedOr(sessions.get(id))
        sessions.delete(id)
        return found
      }),
    list: ({ after, limit, order }, now) =>
      Effect.sync(() => {
        const compare =
          order === "asc" ? (a: SessionPlace, b: SessionPlace) => newestFirst(b, a) : newestFirst
        const rest = [...sessions.values()]
          .filter((session) => session.expiresAt > now && (after === null || compare(after, session) < 0))
          .toSorted(compare)
        const items = rest.slice(0, limit)
        return { items, next: rest.length > limit ? (items.at(-1) ?? null) : null }
      }),
    spend: (digest, expiresAt, now) =>
      Effect.sync(() => {
        for (const [known, expiry] of spent) if (expiry <= now) spent.delete(known)
        if (spent.has(digest)) return "used"
        if (spent.size >= spentSignInsMax) return "full"
        spent.set(digest, expiresAt)
        return "spent"
      }),
  })
})

const newestFirst = (a: SessionPlace, b: SessionPlace): number =>
  b.createdAt - a.createdAt || (a.sessionId < b.sessionId ? 1 : a.sessionId > b.sessionId ? -1 : 0)
