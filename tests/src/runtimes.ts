import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"

/** A program that runs JavaScript files. */
export interface Runtime {
  readonly name: string
  /** The program and its arguments. The tests append the path of the file to run. */
  readonly command: ReadonlyArray<string>
}

const require = createRequire(import.meta.url)

/** Returns the path of a program in an optional package, or undefined if the package is not installed. */
const packaged = (name: string, file: string): string | undefined => {
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), file)
  } catch {
    return undefined
  }
}

const oldestNode = 20

/** Returns the first Node on the PATH that has a different version from this process and can run the SDK. */
const otherNode = (): string | undefined => {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "node")
    if (!existsSync(path)) continue
    const version = execFileSync(path, ["--version"], { encoding: "utf8" }).trim()
    if (version !== process.version && Number.parseInt(version.slice(1), 10) >= oldestNode) return path
  }
  return undefined
}

const cpu =
  process.arch === "arm64"
    ? { deno: "arm64", bun: "aarch64", workerd: "arm64" }
    : { deno: "x64", bun: "x64", workerd: "64" }
const node = otherNode()
const deno = packaged(`@deno/linux-${cpu.deno}-glibc`, "deno")
const bun = packaged(`@oven/bun-linux-${cpu.bun}`, "bin/bun")

/** The JavaScript runtimes on this machine in which the tests run the SDK. */
export const runtimes: ReadonlyArray<Runtime> = [
  { name: "this Node", command: [process.execPath] },
  ...(node === undefined ? [] : [{ name: "another Node on the PATH", command: [node] }]),
  ...(deno === undefined ? [] : [{ name: "Deno", command: [deno, "run", "--allow-all", "--no-config"] }]),
  ...(bun === undefined ? [] : [{ name: "Bun", command: [bun, "run"] }]),
]

/** The path of workerd, the runtime of Cloudflare Workers. Undefined if its package is not installed on this machine. */
export const workerd = packaged(`@cloudflare/workerd-linux-${cpu.workerd}`, "bin/workerd")
