import { Effect, FileSystem, Stdio, Stream } from "effect"
import { openInput, standardInput, unreadable } from "./inputFile.ts"

/** Reads a text from a file or from standard input. Of longer texts, it reads little more than `charactersMax` characters. */
export const readText = Effect.fnUntraced(function* (file: string, charactersMax: number) {
  const files = yield* FileSystem.FileSystem
  const stdio = yield* Stdio.Stdio
  const input =
    file === standardInput
      ? stdio.stdin.pipe(Stream.mapError((error) => unreadable(file)(error.message)))
      : openInput(files, file)
  return yield* input.pipe(
    Stream.decodeText,
    Stream.runFold(
      () => "",
      (all, part) => (all.length > charactersMax ? all : all + part),
    ),
  )
})
