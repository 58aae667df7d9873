import { Effect, FileSystem, Option, Sink, Stdio, Stream } from "effect"
import { openInput, sizeOf, standardInput } from "../server/inputFile.ts"

/** The size of the chunks in which a file is read, in bytes. */
const chunkBytes = 256 * 1024

/** Only NDJSON begins with this byte, `{`. */
const brace = 0x7b

/** What an import reads: a file or standard input. */
export interface ImportSource {
  /** The path of the file. Undefined for standard input. */
  readonly file: string | undefined
  /** The name for messages. */
  readonly name: string
  /** The size in bytes. Undefined for standard input. */
  readonly size: number | undefined
  /** True for NDJSON, as `inlet export` writes it, and false for CSV. */
  readonly isNdjson: boolean
  readonly bytes: Stream.Stream<Uint8Array, unknown>
}

/** Opens a file, or standard input for `-`, of which it reads the first chunk. */
export const openSource = Effect.fnUntraced(function* (path: string) {
  if (path === standardInput) {
    const { stdin } = yield* Stdio.Stdio
    const [first, rest] = yield* Stream.peel(stdin, Sink.head<Uint8Array>())
    const source: ImportSource = {
      file: undefined,
      name: "standard input",
      size: undefined,
      isNdjson: beginsWithBrace(first),
      bytes: Option.isNone(first) ? rest : Stream.concat(Stream.succeed(first.value), rest),
    }
    return source
  }
  const files = yield* FileSystem.FileSystem
  const size = yield* sizeOf(path)
  const first = yield* Stream.runHead(openInput(files, path, { bytesToRead: 1 }))
  const source: ImportSource = {
    file: path,
    name: path,
    size,
    isNdjson: beginsWithBrace(first),
    bytes: files.stream(path, { chunkSize: chunkBytes }),
  }
  return source
})

const beginsWithBrace = (first: Option.Option<Uint8Array>): boolean =>
  Option.exists(first, ([byte]) => byte === brace)
