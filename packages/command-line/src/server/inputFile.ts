import { Effect, FileSystem, type PlatformError, Stream } from "effect"
import { WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { fileProblem } from "./fileProblem.ts"

/** The path that stands for standard input. */
export const standardInput = "-"

/** Returns the size of a file in bytes. Fails if the path does not name a readable file. */
export const sizeOf = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const { size, type } = yield* files
    .stat(file)
    .pipe(Effect.mapError(readProblem), Effect.mapError(unreadable(file)))
  if (type === "Directory") return yield* unreadable(file)("it is a directory")
  return Number(size)
})

const readProblem = (error: PlatformError.PlatformError): string =>
  error.reason._tag === "NotFound" ? "it does not exist" : fileProblem(error)

/** Reads a file. Fails if the path does not name a readable file. */
export const openInput = (
  files: FileSystem.FileSystem,
  file: string,
  options?: Parameters<FileSystem.FileSystem["stream"]>[1],
) => files.stream(file, options).pipe(Stream.mapError(fileProblem), Stream.mapError(unreadable(file)))

export const unreadable = (file: string) => (problem: string) =>
  new WrongOption({ message: cliTexts.fileNotFound({ file, problem }) })
