import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { randomUUID } from "node:crypto"
import { dirname, join, relative, resolve, sep } from "node:path"
import type { LakeReaders } from "@inlethq/core/workspace/LakeSettings"
import { Effect } from "effect"
import { lakeTexts } from "../lakeTexts.ts"
import { LakeFailed } from "../thread/LakeThread.ts"
import type { LakeTarget, StoredObject } from "./LakeTarget.ts"

/** The name of the folder for files that are being written. */
const workName = "_writing"

/** The modes of folders and of files. */
const modes: Readonly<Record<LakeReaders, { readonly folder: number; readonly file: number }>> = {
  owner: { folder: 0o700, file: 0o600 },
  group: { folder: 0o750, file: 0o640 },
  all: { folder: 0o755, file: 0o644 },
}

/** A lake in a folder of the file system. */
export const folderTarget = (root: string, readableBy: LakeReaders = "owner"): LakeTarget => {
  const mode = modes[readableBy]
  const makeFolder = (folder: string) => makeFolderWith(folder, mode.folder)
  const at = (path: string) => join(root, ...path.split("/"))
  const workFolder = join(root, workName)
  return {
    root: resolve(root),
    workFolder,
    prepare: (folder) =>
      attempt("use", root, async () => {
        await makeFolder(root)
        await mkdir(workFolder, { recursive: true })
        await chmod(workFolder, modes.owner.folder)
        // Closes also what was written when more people might read it.
        await makeFolder(at(folder))
        await chmod(at(folder), mode.folder)
      }),
    put: (path, file) =>
      attempt("write", at(path), async () => {
        await makeFolder(dirname(at(path)))
        await chmod(file, mode.file)
        await rename(file, at(path))
        await syncFolder(dirname(at(path)))
      }),
    putText: (path, text) =>
      attempt("write", at(path), async () => {
        await makeFolder(dirname(at(path)))
        await writeWith(`${at(path)}.new`, text, mode.file)
        await rename(`${at(path)}.new`, at(path))
        await syncFolder(dirname(at(path)))
      }),
    putNew: (path, text) =>
      attempt("write", at(path), async () => {
        await makeFolder(dirname(at(path)))
        const written = `${at(path)}.${randomUUID()}.new`
        try {
          await writeWith(written, text, mode.file)
          return await linkUnlessExists(written, at(path))
        } finally {
          await rm(written, { force: true })
          await syncFolder(dirname(at(path)))
        }
      }),
    readText: (path) =>
      attempt("read", at(path), () => unlessMissing(() => readFile(at(path), "utf8"), null)),
    local: (path) => Effect.succeed(at(path)),
    remove: (path) => attempt("remove", at(path), () => rm(at(path), { force: true })),
    list: (folder) => attempt("list", at(folder), () => objectsIn(root, at(folder))),
  }
}

/** Is not interrupted, because the file system would go on: a writer that ended would still rename its files. */
const attempt = <A>(action: string, path: string, run: () => Promise<A>) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) =>
        new LakeFailed({ message: lakeTexts.folder({ action, path, reason: reasonOf(cause) }) }),
    }),
  )

const writeWith = async (file: string, text: string, mode: number): Promise<void> => {
  await writeFile(file, text, { flush: true, mode: modes.owner.file })
  await chmod(file, mode)
}

/** Gives a complete file a second name, unless that name is taken. */
const linkUnlessExists = async (file: string, name: string): Promise<boolean> => {
  try {
    await link(file, name)
    return true
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false
    throw cause
  }
}

const objectsIn = async (root: string, folder: string): Promise<ReadonlyArray<StoredObject>> => {
  const entries = await unlessMissing(() => readdir(folder, { recursive: true, withFileTypes: true }), [])
  const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const objects: Array<StoredObject> = []
  for (const file of found) {
    const written = await unlessMissing(() => stat(file), null)
    if (written === null) continue
    objects.push({ path: relative(root, file).split(sep).join("/"), writtenAt: written.mtimeMs })
  }
  return objects
}

/** Makes a folder that survives a power failure: each folder that had to be made is synced in its parent. */
const makeFolderWith = async (folder: string, mode: number): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Makes a rename survive a power failure. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unlessMissing = async <A, B>(read: () => Promise<A>, missing: B): Promise<A | B> => {
  try {
    return await read()
  } catch (cause) {
    if (isMissing(cause)) return missing
    throw cause
  }
}

const isMissing = (cause: unknown): boolean => hasCode(cause, "ENOENT")

const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

/** EEXIST is what a folder that would be made in place of a file gets. */
const reasonOf = (cause: unknown): string =>
  hasCode(cause, "EEXIST")
    ? "it is a file, not a folder"
    : cause instanceof Error
      ? cause.message
      : String(cause)
