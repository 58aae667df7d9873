import { closeSync, fdatasyncSync, openSync, statSync } from "node:fs"
import { join } from "node:path"
import { backup, DatabaseSync } from "node:sqlite"
import { Effect, Schema, type Scope } from "effect"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { blockFromBytes } from "../engine/Checkpoints.ts"
import { attempt } from "../engine/sqliteErrors.ts"

/**
 * The number of pages that are copied in one step. These pages have 8 MiB together. The progress is reported between
 * two steps.
 */
const pagesPerStep = 4096

/**
 * A backup fails when the write-ahead log has this many bytes. The server cannot empty the log while a backup reads
 * from the log. If the log reached `blockFromBytes`, ingestion would stop.
 */
const logBytesMax = blockFromBytes * (3 / 4)

/**
 * A backup pauses between its steps while the write-ahead log has fewer bytes than this. Above this, a faster copy
 * matters more than the rate of ingestion.
 */
const pausesBelow = logBytesMax / 2

/** The longest time in milliseconds that SQLite waits for a lock of the server. */
const busyTimeoutMs = 5000

/** The error of a backup during which the server wrote so much that its write-ahead log became too long. */
export class LogTooLong extends Schema.TaggedError<LogTooLong>()("LogTooLong", {}) {}

/** The error of a backup that could not copy the database. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", {
  cause: Schema.Defect(),
}) {}

/**
 * Copies the database of a data directory as it is now into an empty file. A server may use the directory during the
 * copy. The steps run on a thread of Node's pool. Everything that the server acknowledged before the call is in the
 * copy.
 */
export const backupDatabase = (
  directory: string,
  target: string,
  report: (done: number, total: number) => void,
): Effect.Effect<void, StoreUnavailable | LogTooLong | BackupFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(directory, "inlet.db")
    const connection = yield* Effect.acquireRelease(
      attempt(`open ${file}`, () => new DatabaseSync(file)),
      (opened) => Effect.sync(() => opened.close()),
    )
    yield* attempt(`read ${file}`, () => {
      connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA query_only = ON`)
      // The read transaction keeps a snapshot until the connection closes. Without the snapshot, the backup would begin
      // again with the first page after each commit of the server.
      connection.exec("BEGIN; SELECT 1 FROM migrations")
    })
    const written = yield* Effect.acquireRelease(
      attempt(`open ${target}`, () => openSync(target, "r+")),
      (descriptor) => Effect.sync(() => closeSync(descriptor)),
    )
    yield* copyPages(connection, file, target, report, pacer(written))
  })

/** Copies all pages. After an interruption, the step that is running ends first. */
const copyPages = (
  connection: DatabaseSync,
  file: string,
  target: string,
  report: (done: number, total: number) => void,
  pace: (mayPause: boolean) => void,
): Effect.Effect<void, LogTooLong | BackupFailed> =>
  Effect.callback((resume) => {
    let isTooLong = false
    let isInterrupted = false
    const copying = backup(connection, target, {
      rate: pagesPerStep,
      progress: ({ remainingPages, totalPages }) => {
        report(totalPages - remainingPages, totalPages)
        const log = logBytes(file)
        isTooLong = log > logBytesMax
        if (isTooLong || isInterrupted) throw new Error("the backup was ended")
        pace(log < pausesBelow)
      },
    }).then(
      () => resume(Effect.void),
      (cause: unknown) => resume(Effect.fail(isTooLong ? new LogTooLong() : new BackupFailed({ cause }))),
    )
    return Effect.suspend(() => {
      isInterrupted = true
      return Effect.promise(() => copying)
    })
  })

/**
 * Returns a function to call after each step. The function syncs the target, so that few bytes wait to be written when
 * the server syncs its log. Then the function waits for as long as the step and the sync took, so that the server can
 * use the disk.
 */
const pacer = (target: number): ((mayPause: boolean) => void) => {
  const waiting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let since = performance.now()
  return (mayPause) => {
    fdatasyncSync(target)
    if (mayPause) Atomics.wait(waiting, 0, 0, performance.now() - since)
    since = performance.now()
  }
}

const logBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
