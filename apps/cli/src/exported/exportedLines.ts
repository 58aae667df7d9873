import { ActivityDocument } from "@inlet/api/management/ActivityLog"
import { ExportedObject, ExportedSegment, ExportEnd } from "@inlet/api/management/Exports"
import { PersonDocument } from "@inlet/api/management/People"
import { Effect, FileSystem, Option, Schema, Stream } from "effect"
import { cliTexts } from "../cliTexts.ts"
import { CommandFailed } from "../server/onServer.ts"

/** A line of an exported file. `read` is the number of bytes up to the end of the line. */
export interface ExportedLine {
  readonly number: number
  readonly text: string
  readonly read: number
}

/** The largest number of bytes of the last line of an export. */
const endBytesMax = 4096

/**
 * The largest number of bytes that are read to find the first line of a file. If the first line is longer, the kind of
 * the export is recognized by the beginning of the line.
 */
const firstLineBytesMax = 16 * 1024 * 1024

const decodeEnd = Schema.decodeUnknownOption(Schema.fromJsonString(ExportEnd))

/** Returns true if a file is NDJSON rather than CSV. Only NDJSON begins with `{`. */
export const isNdjson = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const first = yield* Stream.runHead(files.stream(file, { bytesToRead: 1 }))
  return Option.match(first, { onNone: () => false, onSome: ([byte]) => byte === 0x7b })
})

interface FirstLine {
  readonly text: string
  /** False if the line was cut off, because the file ends in it or because only its first bytes were read. */
  readonly isEnded: boolean
}

const recognizes = <A, I>(schema: Schema.Codec<A, I> & { readonly fields: object }) => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  const beginning = `{"${Object.keys(schema.fields)[0]}":`
  return ({ isEnded, text }: FirstLine): boolean =>
    (!isEnded && text.startsWith(beginning)) || Option.isSome(decode(text))
}

/**
 * Maps each kind of export to a function that returns true if the first line of a file is a document of this kind. A
 * line that was cut off must begin like a document of this kind.
 */
const isDocument = {
  segments: recognizes(ExportedSegment),
  objects: recognizes(ExportedObject),
  events: recognizes(ActivityDocument),
  people: recognizes(PersonDocument),
}

/** The kinds of data that can be exported and imported. */
export type ImportKind = keyof typeof isDocument

const importKinds = ["segments", "objects", "events", "people"] as const satisfies ReadonlyArray<ImportKind>

/**
 * Returns the size in bytes of a file that `inlet export` wrote. Fails if the first line is a document of another kind
 * than `kind`, or if the last line does not say that the export is complete.
 */
export const expectExport = Effect.fnUntraced(function* (kind: ImportKind, file: string) {
  const files = yield* FileSystem.FileSystem
  const head = yield* Stream.mkString(
    Stream.decodeText(files.stream(file, { bytesToRead: firstLineBytesMax })).pipe(
      Stream.takeUntil((text) => text.includes("\n")),
    ),
  )
  const [text = ""] = head.split("\n", 1)
  const first = { text, isEnded: head.length > text.length }
  const found = isDocument[kind](first) ? kind : importKinds.find((other) => isDocument[other](first))
  if (found !== undefined && found !== kind) {
    return yield* new CommandFailed({ message: cliTexts.otherExport({ file, found }) })
  }
  const size = yield* completeSize(file)
  if (size !== undefined) return size
  const refused = found === undefined ? cliTexts.notExported : cliTexts.incompleteExport
  return yield* new CommandFailed({ message: refused({ file, kind }) })
})

/** Returns the size of a file. Returns undefined if its last line does not say that the export is complete. */
const completeSize = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const size = Number((yield* files.stat(file)).size)
  const tail = yield* Stream.mkString(
    Stream.decodeText(files.stream(file, { offset: Math.max(0, size - endBytesMax) })),
  )
  const [last = ""] = tail.trimEnd().split("\n").slice(-1)
  return Option.isSome(decodeEnd(last)) ? size : undefined
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
