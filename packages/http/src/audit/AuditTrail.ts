import type { Principal } from "@inlethq/contract/access/Access"
import type { AuditAction } from "@inlethq/contract/access/AuditAction"
import {
  AuditOutcome,
  type AuditActor,
  type AuditRecord,
  type NewAuditRecord,
} from "@inlethq/core/audit/AuditRecord"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { Cause, Clock, Context, Effect, Exit, Layer, Metric, Option, Predicate } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpSettings } from "../HttpSettings.ts"
import { Notes, type Noted } from "./note.ts"
import { originOf, withKeptAddress, type Origin } from "./origin.ts"
import { makeRefusals } from "./Refusals.ts"

/** The actions that bring data of people, as calls of the ingestion APIs do. */
const ingestion: ReadonlySet<AuditAction> = new Set([
  "operation.apply",
  "import.people",
  "import.events",
  "import.exported",
  "import.start",
])

const unfinished = { log: "Warn", message: "the end of an action was not written to the audit log" } as const

/** The longest name or other text of a record, in characters. */
const textLengthMax = 300

/** An action as it is known before it runs. */
export interface Begun {
  readonly action: AuditAction
  readonly actor: AuditActor
  readonly workspace: WorkspaceId | null
  readonly target: AuditRecord["target"]
  readonly details?: AuditRecord["details"]
}

/** The actor of a request without a valid token. */
export const unknownActor: AuditActor = { kind: "unknown", id: null, name: null }

export const actorOf = ({ id, isSession, name }: Principal["Service"]): AuditActor => ({
  kind: isSession ? "session" : "token",
  id,
  name,
})

type Request = HttpServerRequest.HttpServerRequest

/**
 * Writes the audit log.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /**
     * Runs an action between two durable writes of its record: before it begins, so that no action is without a trace,
     * and before its answer goes out. Without the first write, the action does not run. An answer that is not a response
     * yet counts as one with the status 200.
     */
    record<A, E, R>(
      begun: Begun,
      answer: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | StoreUnavailable, R | Request>
    /**
     * Writes the record of something that lasts longer than a request, such as a session. The function that it returns replaces the details
     * of the record, and ends it if `isOver`.
     */
    open(
      begun: Begun,
    ): Effect.Effect<
      (details: AuditRecord["details"], isOver: boolean) => Effect.Effect<void, StoreUnavailable>,
      StoreUnavailable,
      Request
    >
    /** Counts a request that was refused before it could act. The count is written about a second later. */
    refused(begun: Begun, status: number): Effect.Effect<void, never, Request>
  }
>()("@inlethq/http/audit/AuditTrail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const log = yield* AuditLog
      const refusals = yield* makeRefusals(log)
      const { trustedProxies } = yield* HttpSettings
      const registry = yield* Registry

      /** What is kept of the origin of data that a request brings is a setting of their workspace. */
      const keptOrigin = Effect.fnUntraced(function* ({ action, workspace }: Begun, origin: Origin) {
        if (!ingestion.has(action) || workspace === null) return origin
        const found = yield* registry.workspace(workspace)
        return Option.match(found, { onNone: () => origin, onSome: ({ ip }) => withKeptAddress(ip, origin) })
      })
      yield* Effect.forEach(AuditOutcome.literals, (outcome) => Metric.value(recordsOf(outcome)))

      const record = Effect.fnUntraced(function* <A, E, R>(begun: Begun, answer: Effect.Effect<A, E, R>) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const origin = yield* keptOrigin(begun, originOf(request, trustedProxies))
        const now = yield* Clock.currentTimeMillis
        return yield* Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const first = yield* log.append(newRecord(begun, origin, "begun", null), now)
            const notes: Array<Noted> = []
            const exit = yield* restore(answer).pipe(
              Effect.provideService(Notes, (noted) => void notes.push(noted)),
              Effect.exit,
            )
            const ended = statusOf(exit)
            yield* Metric.update(recordsOf(ended === null ? "begun" : outcomeOf(ended)), 1)
            // Whether an interrupted action took effect is not known, but often what it was about.
            if (ended !== null || notes.length > 0) {
              const end = ended === null ? {} : { outcome: outcomeOf(ended), status: ended }
              yield* Effect.ignoreCause(log.replace({ ...withNotes(first, notes), ...end }), unfinished)
            }
            return yield* exit
          }),
        )
      })

      const open = Effect.fnUntraced(function* (begun: Begun) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const now = yield* Clock.currentTimeMillis
        const first = yield* log.append(
          newRecord(begun, originOf(request, trustedProxies), "begun", null),
          now,
        )
        return (details: AuditRecord["details"], isOver: boolean) =>
          log.replace({
            ...withNotes(first, [{ details }]),
            ...(isOver ? { outcome: "done", status: 200 } : {}),
          })
      })

      return AuditTrail.of({
        record,
        open,
        refused: (begun, status) =>
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.andThen(
              Metric.update(recordsOf("refused"), 1),
              refusals.count(newRecord(begun, originOf(request, trustedProxies), "refused", status)),
            ),
          ),
      })
    }),
  )
}

const audited = Metric.counter("inlet_audited_requests_total", {
  description:
    "Requests that the audit log records, by outcome. Begun are those of which nobody learned how they ended",
  incremental: true,
})

const recordsOf = (outcome: AuditOutcome) => Metric.withAttributes(audited, { outcome })

const newRecord = (
  { action, actor, details = {}, target, workspace }: Begun,
  origin: Origin,
  outcome: AuditOutcome,
  status: number | null,
): NewAuditRecord => ({
  workspace,
  action,
  outcome,
  status,
  actor,
  target,
  changes: [],
  details,
  ...origin,
  count: 1,
})

/** Returns the status of an answer, or null if there is none because the request was interrupted. */
const statusOf = (exit: Exit.Exit<unknown, unknown>): number | null => {
  if (Exit.isSuccess(exit))
    return HttpServerResponse.isHttpServerResponse(exit.value) ? exit.value.status : 200
  if (Cause.hasInterruptsOnly(exit.cause)) return null
  const [error] = exit.cause.reasons.flatMap((reason) => (Cause.isFailReason(reason) ? [reason.error] : []))
  return Predicate.hasProperty(error, "status") && typeof error.status === "number" ? error.status : 500
}

const outcomeOf = (status: number): AuditOutcome => {
  if (status < 400) return "done"
  return status < 500 ? "refused" : "failed"
}

const withNotes = (record: AuditRecord, notes: ReadonlyArray<Noted>): AuditRecord =>
  notes.reduce<AuditRecord>(
    (noted, { changes, details, target }) => ({
      ...noted,
      target: target === undefined ? noted.target : { id: cut(target.id), name: cutOrNull(target.name) },
      changes: changes ?? noted.changes,
      details: { ...noted.details, ...bounded(details ?? {}) },
    }),
    record,
  )

const cut = (text: string): string => text.slice(0, textLengthMax)

const cutOrNull = (text: string | null | undefined): string | null => (text == null ? null : cut(text))

/** Leaves out what is undefined, and cuts long values. */
const bounded = (details: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => {
      if (value === undefined) return []
      const text = JSON.stringify(value)
      return [[name, text.length > textLengthMax ? cut(text) : value] as const]
    }),
  )
