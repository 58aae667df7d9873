import { execFileSync } from "node:child_process"
import { chownSync, copyFileSync, cpSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { freshDirectory } from "../src/cleanup.ts"
import { root } from "../src/documents/documents.ts"
import { launchAs, type Launched } from "../src/Launched.ts"
import { linkedTo } from "./EmptyRoot.ts"

const isRoot = process.getuid?.() === 0

/** The user of the image. */
const user = 1000

/**
 * Makes the root given as the first argument read-only in a mount namespace of its own, with the folder of the second one as its only
 * writable part, and runs the rest as a program in it.
 */
const enter = `set -e
root=$1; data=$2; shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/data"
exec chroot ${isRoot ? `--userspec=${user}:${user}` : ""} "$root" "$@"`

/** The files of the container image with Node and its libraries, as a root that can only be read except for `/data`. */
export class ReadOnlyImage {
  readonly data: string
  private readonly root: string

  /** Takes the built `inlet` command, as `pnpm build:image` does. */
  constructor() {
    const place = freshDirectory()
    this.root = join(place, "root")
    this.data = join(place, "data")
    for (const folder of [this.data, join(this.root, "data"), join(this.root, "tmp")])
      mkdirSync(folder, { recursive: true })
    if (isRoot) chownSync(this.data, user, user)
    execFileSync(process.execPath, [join(root, "deploy/image.mjs"), join(this.root, "app")])
    for (const library of linkedTo(process.execPath)) {
      const copy = join(this.root, library)
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(library, copy)
    }
    cpSync(process.execPath, join(this.root, "node"), { dereference: true })
  }

  /** Starts Node in the root, as the unprivileged user. */
  launch(args: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): Launched {
    const namespace = ["unshare", "--mount", ...(isRoot ? [] : ["--map-root-user"])]
    const command = [...namespace, "sh", "-c", enter, "sh", this.root, this.data, "/node", ...args]
    return launchAs(command, { HOME: "/data", ...variables })
  }
}
