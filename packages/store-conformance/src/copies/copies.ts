import { installationTables, type TransferTableName } from "@inlethq/storage/columns/transferTables"
import { copyStore, type CopyRefused } from "@inlethq/storage/transfer/copyStore"
import type { TransferSource, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { ConsoleSessions } from "@inlethq/core/ports/ConsoleSessions"
import { Digest } from "@inlethq/core/ports/Digest"
import { Registry } from "@inlethq/core/ports/Registry"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Effect, Exit, type Layer, type Scope } from "effect"
import { auditRecordOf } from "../tables/auditLaws.ts"
import { noon } from "../script/commands.ts"
import {
  begin,
  compareScripts,
  inNew,
  memoryStore,
  play,
  playSteps,
  readAll,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { plainDigest } from "../script/digest.ts"
import { firstDifference } from "../script/firstDifference.ts"
import type { Script } from "../script/script.ts"
import { TransferRows } from "./TransferRows.ts"

/**
 * A new, empty store, and three ways to open it: as the services, as the source of a copy, or as the target of a copy.
 * Only one of the three can be open at a time.
 */
export interface CopiedStore<E> {
  readonly services: Layer.Layer<Services | ConsoleSessions, E>
  readonly source: Effect.Effect<TransferSource, E, Scope.Scope>
  readonly target: Effect.Effect<TransferTarget, E, Scope.Scope>
}

/**
 * Compares two stores after the same script. A memory store runs the whole script. The other store runs the first half
 * and is copied to a new store, which runs the second half. The copy goes through memory, may be interrupted, and then
 * resumes. After the copy, the new store must have the same rows.
 */
export const compareCopied = <E>(
  newStore: Effect.Effect<CopiedStore<E>, E, Scope.Scope>,
  comparison: Comparison,
): Effect.Effect<Compared> =>
  compareScripts((script) => Effect.scoped(differenceAfter(newStore, script)), comparison)

const differenceAfter = <E>(newStore: Effect.Effect<CopiedStore<E>, E, Scope.Scope>, script: Script) =>
  Effect.gen(function* () {
    const [from, to] = [yield* newStore, yield* newStore]
    const half = script.steps.length >> 1
    const before = { ...script, steps: script.steps.slice(0, half) }
    const after = { ...script, steps: script.steps.slice(half) }
    const now = yield* Effect.all([createWorkspaces, writeAuditLog, openSession, begin]).pipe(
      Effect.andThen(playSteps(before, "one", noon)),
      inNew(from.services),
    )
    const rows = yield* rowsIn(from)
    // For half of the scripts, copy the first workspace and then add the second. For the other scripts, copy both at
    // once.
    const parts = script.steps.length % 2 === 0 ? [null] : [WorkspaceId.make(1), WorkspaceId.make(2)]
    for (const only of parts) {
      const exit = yield* Effect.exit(copyTo(to, rows, only, script.steps.length))
      if (Exit.hasInterrupts(exit)) yield* copyTo(to, rows, only)
    }
    // Tables of the installation are left out of a copy of a single workspace.
    const without = parts.length === 1 ? [] : installationTables.map(({ name }) => name)
    const difference = firstDifference(
      comparable(yield* rowsIn(to), without),
      comparable(rows, without),
      "rows",
    )
    if (difference !== null) return difference
    const actual = yield* Effect.flatMap(playSteps(after, "one", now), readAll).pipe(inNew(to.services))
    return firstDifference(actual, yield* play(script, "the other").pipe(inNew(memoryStore)))
  })

/**
 * Returns the rows by owner and table. The numbers of keys only order them, and each database counts its own, so
 * each key gets its place among the keys of its workspace instead.
 */
const comparable = ({ tables }: TransferRows, without: ReadonlyArray<TransferTableName>) =>
  new Map(
    [...tables].flatMap(([owner, own]) =>
      [...own].flatMap(([name, rows]) =>
        rows.length === 0 || without.includes(name)
          ? []
          : [
              [
                `${owner} ${name}`,
                name === "keys" ? rows.map(([, ...row], place) => [place, ...row]) : rows,
              ] as const,
            ],
      ),
    ),
  )

/** Creates the two workspaces of the script, each with a key, so that their rows are copied too. */
export const createWorkspaces = Effect.gen(function* () {
  const registry = yield* Registry
  for (const [name, expiresAt] of [
    ["one", null],
    ["two", noon + 1],
  ] as const) {
    const key = { keyId: name, siteId: null, digest: name, createdAt: noon, prefix: `prefix ${name}` }
    yield* registry.createWorkspace(defaultSettings(name, "us"), [
      { ...key, kind: "pipelines", name, lastUsedAt: null, expiresAt },
      { ...key, keyId: `app ${name}`, kind: "app", name, lastUsedAt: null, expiresAt, scope: "read" },
    ])
  }
  yield* registry.recordUses([{ keyId: "two", at: noon }])
}).pipe(Effect.orDie)

/** Opens a session of the console, and uses up a sign-in. */
const openSession = Effect.gen(function* () {
  const sessions = yield* ConsoleSessions
  yield* sessions.add(
    {
      sessionId: "session",
      kind: "person",
      principalId: "https://issuer.example ada",
      name: "Ada",
      issuer: "https://issuer.example",
      grants: [{ scope: "read", workspaces: null }],
      ancestors: [],
      createdAt: noon,
      expiresAt: noon + 1,
    },
    noon,
  )
  yield* sessions.spend("sign-in", noon + 1, noon)
}).pipe(Effect.orDie)

/** Writes records about the installation, about a workspace, and about a workspace that was deleted. */
const writeAuditLog = Effect.gen(function* () {
  const log = yield* AuditLog
  for (const workspace of [null, WorkspaceId.make(1), WorkspaceId.make(9)]) {
    yield* log.append(auditRecordOf("first", workspace), noon)
    yield* log.append(auditRecordOf("second", workspace), noon)
  }
})

const rowsIn = <E>({ source }: CopiedStore<E>) =>
  Effect.gen(function* () {
    const rows = new TransferRows()
    yield* copy(yield* source, rows.target, null)
    return rows
  }).pipe(Effect.scoped)

/** Copies one workspace or all workspaces to a store. Interrupts the copy when it has written `pagesMax` pages. */
const copyTo = <E>(to: CopiedStore<E>, rows: TransferRows, only: WorkspaceId | null, pagesMax = Infinity) => {
  let pages = 0
  const report = () => (++pages === pagesMax ? Effect.interrupt : Effect.void)
  return Effect.scoped(Effect.flatMap(to.target, (target) => copy(rows.source, target, only, report)))
}

export const copy = (
  source: TransferSource,
  target: TransferTarget,
  only: WorkspaceId | null,
  report: () => Effect.Effect<void> = () => Effect.void,
): Effect.Effect<void, StoreUnavailable | CopyRefused, Scope.Scope> =>
  Effect.flatMap(Digest, (digest) =>
    copyStore({
      source,
      target,
      report,
      digest,
      names: { source: "the source", target: "the target" },
      sourceDigest: "",
      only,
      saveSecrets: Effect.void,
      expectSameDigests: Effect.void,
    }),
  ).pipe(Effect.provide(plainDigest))
