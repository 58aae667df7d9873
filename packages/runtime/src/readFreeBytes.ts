import { FreeSpace } from "@inlethq/http/management/server/storageGrowth"
import { Effect, Layer } from "effect"
import { statfs } from "node:fs/promises"
import { Settings } from "./Settings.ts"

/** Reads the free bytes on the disk of a folder; null if they cannot be read. */
export const readFreeBytes = (folder: string): Effect.Effect<number | null> =>
  Effect.tryPromise(() => statfs(folder)).pipe(
    Effect.map(({ bavail, bsize }) => bavail * bsize),
    Effect.orElseSucceed(() => null),
  )

/** The embedded store grows on the disk of the data directory. */
export const freeSpace = Layer.effect(
  FreeSpace,
  Effect.map(Settings, ({ dataDirectory, store }) =>
    store.kind === "sqlite" ? readFreeBytes(dataDirectory) : Effect.succeed(null),
  ),
)
