import { ExportEnd } from "@inlet/api/management/Exports"
import { Effect, FileSystem, Option, Schema, Stream } from "effect"
import { cliTexts } from "../cliTexts.ts"
import { CommandFailed } from "../server/onServer.ts"

/** A line of an exported file. `read` is the number of bytes up to the end of the line. */
export interface ExportedLine {
  readonly number: number
  readonly text: string
  readonly read: number
}

/** The last line of an export has at most this many bytes. */
const endBytesMax = 4096

const decodeEnd = Schema.decodeUnknownOption(Schema.fromJsonString(ExportEnd))

/** Returns whether a file is NDJSON. A CSV file begins with the name of a column. */
export const isNdjson = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const first = yield* Stream.runHead(files.stream(file, { bytesToRead: 1 }))
  return Option.match(first, { onNone: () => false, onSome: ([byte]) => byte === 0x7b })
})

/** Fails if the last line of a file does not say that the export is complete. */
export const expectComplete = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const size = Number((yield* files.stat(file)).size)
  const tail = yield* Stream.mkString(
    Stream.decodeText(files.stream(file, { offset: Math.max(0, size - endBytesMax) })),
  )
  const [last = ""] = tail.trimEnd().split("\n").slice(-1)
  if (Option.isSome(decodeEnd(last))) return size
  return yield* new CommandFailed({ message: cliTexts.incompleteExport({ file }) })
})

/** Reads the lines of an export, without its last line. */
export const linesOf = (file: string) =>
  Stream.unwrap(Effect.map(FileSystem.FileSystem, (files) => files.stream(file))).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.mapAccum(
      () => ({ number: 0, read: 0 }),
      (at, text) => {
        const next = { number: at.number + 1, read: at.read + Buffer.byteLength(text) + 1 }
        const line: ExportedLine = { ...next, text }
        return [next, [line]] as const
      },
    ),
    Stream.filter(({ text }) => text.trim() !== "" && !isEnd(text)),
  )

const isEnd = (text: string): boolean => text.length < endBytesMax && Option.isSome(decodeEnd(text))
