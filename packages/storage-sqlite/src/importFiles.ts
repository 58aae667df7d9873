import { exportFileName, type ExportFileKey, type ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { ImportId, type ImportFileKey, type ImportFiles } from "@inlethq/core/ports/ImportJobs"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Stream } from "effect"
import { mkdir, open, readdir, rm, type FileHandle } from "node:fs/promises"
import { join } from "node:path"

/** The number of bytes of a file that are read at a time. */
const readBytes = 256 * 1024

const filePattern = /^([1-9]\d{0,14})-(imp_[0-9a-z]+)\.csv$/

const attempt = <A>(operation: string, run: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise({ try: run, catch: (cause) => new StoreUnavailable({ operation, cause }) })

const openFile = (operation: string, path: string, flags: string) =>
  Effect.acquireRelease(
    attempt(operation, () => open(path, flags, 0o600)),
    (file) => Effect.promise(() => file.close()),
  )

/** How the files in a folder are named. */
interface Named<Key> {
  readonly folder: string
  /** What the files are of, for messages. */
  readonly of: string
  readonly nameOf: (key: Key) => string
  readonly keyIn: (name: string) => ReadonlyArray<Key>
}

/** Keeps the files of imports in a folder of the data directory, which only its owner can read. */
export const importFilesIn = (directory: string): ImportFiles["Service"] =>
  filesIn<ImportFileKey>(directory, {
    folder: "imports",
    of: "an import",
    nameOf: ({ id, workspace }) => `${workspace}-${id}.csv`,
    keyIn,
  })

/** Keeps the files of exports likewise. */
export const exportFilesIn = (directory: string): ExportFiles["Service"] =>
  filesIn<ExportFileKey>(directory, {
    folder: "exports",
    of: "an export",
    nameOf: ({ name, workspace }) => `${workspace}-${name}`,
    keyIn: (file) => {
      const [, workspace, name = ""] = /^([1-9]\d{0,14})-(.+)$/.exec(file) ?? []
      return workspace !== undefined && exportFileName.test(name)
        ? [{ workspace: WorkspaceId.make(Number(workspace)), name }]
        : []
    },
  })

const filesIn = <Key>(directory: string, named: Named<Key>) => {
  const folder = join(directory, named.folder)
  const reading = `read the file of ${named.of}`
  const pathOf = (key: Key): string => join(folder, named.nameOf(key))

  return {
    save: <E>(key: Key, parts: Stream.Stream<Uint8Array, E>) =>
      Effect.scoped(
        Effect.gen(function* () {
          const operation = `save the file of ${named.of}`
          yield* attempt(operation, () => mkdir(folder, { mode: 0o700, recursive: true }))
          const file = yield* openFile(operation, pathOf(key), "w")
          yield* Stream.runForEach(parts, (part) => attempt(operation, () => file.writeFile(part)))
          yield* attempt(operation, () => file.sync())
          // The file is durable only once the folder that names it is.
          const names = yield* openFile(operation, folder, "r")
          yield* attempt(operation, () => names.sync())
        }),
      ),
    read: (key: Key) =>
      Stream.unwrap(
        openFile(reading, pathOf(key), "r").pipe(
          Effect.map((file) => partsOf(reading, file)),
          Effect.catchIf(
            ({ cause }) => isMissing(cause),
            () => Effect.succeed(Stream.empty),
          ),
        ),
      ),
    remove: (key: Key) => attempt(`remove the file of ${named.of}`, () => rm(pathOf(key), { force: true })),
    list: attempt(`list the files of ${named.folder}`, () => readdir(folder)).pipe(
      Effect.catchIf(
        ({ cause }) => isMissing(cause),
        () => Effect.succeed([]),
      ),
      Effect.map((names) => names.flatMap(named.keyIn)),
    ),
  }
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const keyIn = (name: string): ReadonlyArray<ImportFileKey> => {
  const [, workspace, id] = filePattern.exec(name) ?? []
  return workspace === undefined || id === undefined
    ? []
    : [{ workspace: WorkspaceId.make(Number(workspace)), id: ImportId.make(id) }]
}

const partsOf = (reading: string, file: FileHandle): Stream.Stream<Uint8Array, StoreUnavailable> =>
  Stream.unfold(0, (at) =>
    Effect.map(
      attempt(reading, () => file.read(new Uint8Array(readBytes), 0, readBytes, at)),
      ({ buffer, bytesRead }) =>
        bytesRead === 0 ? undefined : ([buffer.subarray(0, bytesRead), at + bytesRead] as const),
    ),
  )
