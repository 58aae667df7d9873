import { ByteSize, Effect, FileSystem, Option, PlatformError, Stream } from "effect"
import { statSync } from "node:fs"
import { getAssetKeys, getRawAsset } from "node:sea"

/**
 * The files inside the executable as a file system that can only be read. Paths are absolute: the asset
 * `console/index.html` is the file `/console/index.html`. All files have the modification time of the executable.
 */
export const assetSystem = FileSystem.makeNoop({
  stat: (path) => Effect.map(contentOf("stat", path), ({ byteLength }) => infoOf(byteLength)),
  readFile: (path) => contentOf("readFile", path),
  readFileString: (path) => Effect.map(contentOf("readFileString", path), (content) => text.decode(content)),
  readDirectory: (path) => Effect.sync(() => namesIn(path)),
  stream: (path, range = {}) =>
    Stream.fromEffect(Effect.map(contentOf("stream", path), (content) => partOf(content, range))),
})

interface Range {
  readonly offset?: ByteSize.Input | undefined
  readonly bytesToRead?: ByteSize.Input | undefined
}

const partOf = (content: Uint8Array, { bytesToRead, offset }: Range): Uint8Array => {
  const start = offset === undefined ? 0 : numberOf(offset)
  return content.subarray(start, bytesToRead === undefined ? undefined : start + numberOf(bytesToRead))
}

const numberOf = (size: ByteSize.Input): number => ByteSize.toNumberUnsafe(ByteSize.fromInputUnsafe(size))

const text = new TextDecoder()

const prefixed = (path: string): string => path.replace(/^\//, "")

const keys: ReadonlySet<string> = new Set(getAssetKeys())

const namesIn = (folder: string): Array<string> => {
  const prefix = `${prefixed(folder)}/`
  return [...keys]
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !name.includes("/"))
}

const contentOf = (method: string, path: string): Effect.Effect<Uint8Array, PlatformError.PlatformError> =>
  Effect.suspend(() => {
    const key = prefixed(path)
    if (keys.has(key)) return Effect.succeed(new Uint8Array(getRawAsset(key)))
    return Effect.fail(
      PlatformError.systemError({ _tag: "NotFound", module: "FileSystem", method, pathOrDescriptor: path }),
    )
  })

const { mtime } = statSync(process.execPath)

const infoOf = (bytes: number): FileSystem.File.Info => ({
  type: "File",
  mtime: Option.some(mtime),
  atime: Option.none(),
  birthtime: Option.none(),
  dev: 0n,
  ino: Option.none(),
  mode: 0o444,
  nlink: Option.none(),
  uid: Option.none(),
  gid: Option.none(),
  rdev: Option.none(),
  size: ByteSize.bytes(bytes),
  blksize: Option.none(),
  blocks: Option.none(),
})
