import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Where the licences of bundled packages are, in the folder of a bundle. */
export const licencesFile = "THIRD-PARTY-LICENSES.txt"

interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly license: string
}

const licenceName = /^(?:licen[cs]e|notice|copying)/i

const packageAt = (folder: string): Package | undefined => {
  const manifest = join(folder, "package.json")
  if (!existsSync(manifest)) return undefined
  const { license, name, version } = JSON.parse(readFileSync(manifest, "utf8"))
  // A folder inside a package may have a manifest that only says how its modules are written.
  return name === undefined || version === undefined ? undefined : { folder, name, version, license }
}

/** Returns the package that a module belongs to, or undefined for a module of this repository or of Node. */
const packageOf = (module: string): Package | undefined => {
  const path = module.replace(/^\0/, "").replace(/\?.*$/, "")
  if (!path.includes("/node_modules/")) return undefined
  for (let folder = dirname(path); !folder.endsWith("/node_modules"); folder = dirname(folder)) {
    const found = packageAt(folder)
    if (found !== undefined) return found
  }
  return undefined
}

const textOf = ({ folder, license, name, version }: Package): string => {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && licenceName.test(entry.name),
  )
  const texts = files.map((file) => readFileSync(join(folder, file.name), "utf8").trim())
  return [`${name} ${version} (${license})`, ...texts].join("\n\n")
}

/** Returns the licences of the packages that modules belong to, and of the packages in folders. */
export const licencesOf = (modules: Iterable<string>, folders: ReadonlyArray<string> = []): string => {
  const found = [...Array.from(modules, packageOf), ...folders.map(packageAt)]
  const packages = new Map(
    found.flatMap((one) => (one === undefined ? [] : [[`${one.name} ${one.version}`, one] as const])),
  )
  const sorted = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${sorted.map(([, one]) => textOf(one)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}

/** A plugin of Rolldown that writes the licences of the packages in a bundle beside it. */
export const writeLicences = {
  name: "licences",
  generateBundle(
    this: { readonly emitFile: (file: { type: "asset"; fileName: string; source: string }) => unknown },
    _options: unknown,
    bundle: Readonly<Record<string, { readonly type: string; readonly moduleIds?: ReadonlyArray<string> }>>,
  ): void {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
    this.emitFile({ type: "asset", fileName: licencesFile, source: licencesOf(modules) })
  },
}
