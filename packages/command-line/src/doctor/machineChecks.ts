import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { open, rm, statfs } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { nodeFault } from "../nodeVersion.ts"
import { dataDirectory } from "../server/Connection.ts"
import { variable } from "../server/variable.ts"
import { failed, ok, warning, type Check } from "./Check.ts"

/** Checks the version of Node that runs this command. */
const checkNode: Effect.Effect<Check> = Effect.sync(() => {
  const { node } = process.versions
  const fault = nodeFault(node)
  return fault === undefined ? ok("node", node) : failed("node", node, fault)
})

const tokenFileMode = 0o600

/** Returns the checks of the machine on which a server runs. Without a data directory, its disk is of no interest. */
export const checkMachine = (usesDatabase: boolean): Effect.Effect<ReadonlyArray<Check>> => {
  const name = "data directory"
  if (variable("INLET_STORE") === "memory") {
    return Effect.all([checkNode, Effect.succeed(ok(name, "none, because INLET_STORE is memory"))])
  }
  if (usesDatabase || /^postgres(ql)?:/.test(variable("INLET_STORE") ?? "")) {
    return Effect.all([checkNode, Effect.succeed(ok(name, "none, because the server uses PostgreSQL"))])
  }
  return Effect.all([checkNode, checkDataDirectory, checkSpace, checkSync])
}

/** Checks the data directory of the server on this machine. */
const checkDataDirectory: Effect.Effect<Check> = Effect.sync(() => {
  const directory = dataDirectory()
  const name = "data directory"
  const shown = resolve(directory)
  if (!existsSync(directory)) {
    return warning(
      name,
      `${shown} does not exist`,
      "`inlet serve` creates it. If the server uses another directory, set INLET_DATA_DIR to it.",
    )
  }
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    const token = join(directory, "management-token")
    const mode = existsSync(token) ? statSync(token).mode & 0o777 : tokenFileMode
    return mode === tokenFileMode
      ? ok(name, shown)
      : warning(name, `others can read ${token}`, `Run: chmod 600 ${token}`)
  } catch {
    return failed(
      name,
      `this user cannot read and write ${shown}`,
      "Change its owner, or run the command as the user of the server.",
    )
  }
})

const gigabyte = 1024 ** 3
const freeBytesMin = gigabyte
const freeBytesLow = 5 * gigabyte

/** Checks the free space on the disk that contains the data directory. */
const checkSpace: Effect.Effect<Check> = Effect.tryPromise(async () => {
  const { bavail, bsize } = await statfs(existingFolder(dataDirectory()))
  const free = bavail * bsize
  const found = `${(free / gigabyte).toFixed(1)} GB free`
  if (free < freeBytesMin) {
    return failed(
      "disk space",
      found,
      "Inlet stops accepting data when the disk is full. Free space or move the data directory.",
    )
  }
  return free < freeBytesLow
    ? warning(
        "disk space",
        found,
        "Plan more space. docs/operations/monitoring.md says how fast the data grows.",
      )
    : ok("disk space", found)
}).pipe(
  Effect.catch(() => Effect.succeed(warning("disk space", "unknown", "Check the free space of the disk."))),
)

/** The number of writes in the sync test, and the bytes in each write. */
const syncWrites = 20
const syncBytes = 4096

/**
 * The duration of a sync, in milliseconds, above which `inlet doctor` warns. Slower syncs visibly delay the answers to
 * calls.
 */
const syncMsSlow = 20

/** Measures how long the disk takes to make a small write durable. Every commit waits for one such write. */
const checkSync: Effect.Effect<Check> = Effect.tryPromise(async () => {
  const file = join(existingFolder(dataDirectory()), `.inlet-doctor-${randomUUID()}`)
  const handle = await open(file, "wx", 0o600)
  const took: Array<number> = []
  try {
    const block = new Uint8Array(syncBytes)
    for (let i = 0; i < syncWrites; i++) {
      const from = performance.now()
      await handle.write(block, 0, syncBytes, i * syncBytes)
      await handle.datasync()
      took.push(performance.now() - from)
    }
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
  const median = took.toSorted((a, b) => a - b)[syncWrites / 2] ?? 0
  const found = `${median.toFixed(median < 10 ? 1 : 0)} ms for a durable write of ${syncBytes / 1024} KB (median of ${syncWrites})`
  return median > syncMsSlow
    ? warning(
        "disk sync",
        found,
        "Every call waits for at least one sync. Use a faster disk for short response times.",
      )
    : ok("disk sync", found)
}).pipe(
  Effect.catch(() =>
    Effect.succeed(
      warning(
        "disk sync",
        "not measured",
        "Run the command as the user of the server, who can write the data directory.",
      ),
    ),
  ),
)

/** Returns the path itself if it exists, or else its nearest parent folder that exists. */
const existingFolder = (path: string): string => {
  const full = resolve(path)
  return existsSync(full) || dirname(full) === full ? full : existingFolder(dirname(full))
}
