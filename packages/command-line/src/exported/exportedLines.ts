import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { ExportedObject, ExportedSegment, ExportEnd } from "@inlethq/contract/transfer/Exports"
import { PersonDocument } from "@inlethq/contract/people/People"
import { Effect, FileSystem, Option, Schema, Stream } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import type { ImportSource } from "./ImportSource.ts"

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
 * Fails if the first line of a file is a document of another kind than `kind`, or if the last line does not say that the
 * export is complete. Standard input is checked by `linesOf` instead, while it is read.
 */
export const expectExport = Effect.fnUntraced(function* (kind: ImportKind, { file, name }: ImportSource) {
  if (file === undefined) return
  const files = yield* FileSystem.FileSystem
  const head = yield* Stream.mkString(
    Stream.decodeText(files.stream(file, { bytesToRead: firstLineBytesMax })).pipe(
      Stream.takeUntil((text) => text.includes("\n")),
    ),
  )
  const [text = ""] = head.split("\n", 1)
  const found = yield* expectKind(kind, name, { text, isEnded: head.length > text.length })
  if (yield* isComplete(file)) return
  const refused = found === undefined ? cliTexts.notExported : cliTexts.incompleteExport
  return yield* new CommandFailed({ message: refused({ file: name, kind }) })
})

/** Returns the kind of the export. Returns undefined if the line is no document. Fails if the kind is another one. */
const expectKind = (kind: ImportKind, name: string, first: FirstLine) => {
  const found = isDocument[kind](first) ? kind : importKinds.find((other) => isDocument[other](first))
  return found === undefined || found === kind
    ? Effect.succeed(found)
    : Effect.fail(new CommandFailed({ message: cliTexts.otherExport({ file: name, found }) }))
}

/** Returns true if the last line of a file says that the export is complete. */
const isComplete = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const size = Number((yield* files.stat(file)).size)
  const tail = yield* Stream.mkString(
    Stream.decodeText(files.stream(file, { offset: Math.max(0, size - endBytesMax) })),
  )
  const [last = ""] = tail.trimEnd().split("\n").slice(-1)
  return Option.isSome(decodeEnd(last))
})

/**
 * Reads the lines of an export, without its last line. Fails at the first line of standard input if it is a document of
 * another kind than `kind`, and at its end if the export is not complete.
 */
export const linesOf = (kind: ImportKind, { bytes, file, name }: ImportSource) =>
  Stream.suspend(() => {
    let isEnded = false
    const lines = bytes.pipe(
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
      Stream.filter(({ text }) => {
        const isLast = isEnd(text)
        if (isLast) isEnded = true
        return !isLast && text.trim() !== ""
      }),
    )
    if (file !== undefined) return lines
    const checked = Stream.tap(lines, ({ number, text }) =>
      number === 1 ? expectKind(kind, name, { text, isEnded: true }) : Effect.void,
    )
    const incomplete = new CommandFailed({ message: cliTexts.incompleteExport({ file: name }) })
    return Stream.concat(
      checked,
      Stream.suspend(() => (isEnded ? Stream.empty : Stream.fail(incomplete))),
    )
  })

const isEnd = (text: string): boolean => text.length < endBytesMax && Option.isSome(decodeEnd(text))
