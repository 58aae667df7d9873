import { Effect, FileSystem, Option, Path, Schema, type PlatformError } from "effect"
import { homedir } from "node:os"
import { variable } from "./variable.ts"

const directoryMode = 0o700
const fileMode = 0o600

/** Inlet's configuration folder in the user's home directory. */
const configurationFolder = Effect.map(Path.Path, (path) =>
  path.join(variable("XDG_CONFIG_HOME") ?? path.join(homedir(), ".config"), "inlet"),
)

/** Returns the path of a file in the configuration folder. */
const pathOf = Effect.fnUntraced(function* (name: string) {
  const path = yield* Path.Path
  return path.join(yield* configurationFolder, name)
})

/** Reads a file of the configuration folder. The option is empty if the file is missing. */
export const readPrivate = Effect.fnUntraced(function* <A>(name: string, schema: Schema.Codec<A, string>) {
  const files = yield* FileSystem.FileSystem
  const file = yield* pathOf(name)
  if (!(yield* files.exists(file))) return Option.none<A>()
  return Option.some(yield* Schema.decodeEffect(schema)(yield* files.readFileString(file)))
})

/** Replaces a file of the configuration folder, which only this user can read. */
export const writePrivate = Effect.fnUntraced(function* <A>(
  name: string,
  schema: Schema.Codec<A, string>,
  value: A,
) {
  const files = yield* FileSystem.FileSystem
  const file = yield* pathOf(name)
  yield* makeFolder(yield* configurationFolder)
  const draft = `${file}.${process.pid}`
  yield* files.writeFileString(draft, yield* Schema.encodeEffect(schema)(value), { mode: fileMode })
  yield* files.rename(draft, file)
})

/**
 * Creates a folder, and the folders above it that are missing. The option `recursive` of Node is not used, because Node
 * then loops for ever below a folder in which the system creates nothing, such as `/proc`.
 */
const makeFolder: (
  folder: string,
) => Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (folder) {
    const files = yield* FileSystem.FileSystem
    if (yield* files.exists(folder)) return
    const path = yield* Path.Path
    yield* makeFolder(path.dirname(path.resolve(folder)))
    // Another process may have created the folder in the meantime.
    yield* files.makeDirectory(folder, { mode: directoryMode }).pipe(
      Effect.catchIf(
        ({ reason }) => reason._tag === "AlreadyExists",
        () => Effect.void,
      ),
    )
  },
)
