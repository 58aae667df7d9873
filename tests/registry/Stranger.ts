import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "../src/cleanup.ts"
import { launchAs, type Launched } from "../src/Launched.ts"

const npmFolder = dirname(execFileSync("which", ["npm"], { encoding: "utf8" }).trim())

/**
 * Somebody who has only Node and npm: an empty folder, an empty home directory, and an empty cache. The registry has no packages but
 * Inlet's, so whatever depends on others does not install.
 */
export class Stranger {
  readonly folder: string
  readonly home: string
  private variables: NodeJS.ProcessEnv

  constructor(node: string, registry: string) {
    const place = freshDirectory()
    this.folder = join(place, "project")
    this.home = join(place, "home")
    for (const folder of [this.folder, this.home]) mkdirSync(folder)
    writeFileSync(join(this.folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
    this.variables = {
      PATH: [node, npmFolder, "/usr/bin", "/bin"].join(delimiter),
      HOME: this.home,
      npm_config_registry: registry,
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      npm_config_yes: "true",
    }
  }

  /** Takes packages of others from the registry and the cache that npm has on this machine. */
  withOthers(registry: string): this {
    writeFileSync(join(this.folder, ".npmrc"), `@inlethq:registry=${registry}\n`)
    this.variables = { ...process.env, PATH: this.variables["PATH"] }
    return this
  }

  /** Runs a command in the folder, and returns what it prints. */
  async run(...command: ReadonlyArray<string>): Promise<string> {
    const [file = "", ...args] = command
    const { stdout } = await promisify(execFile)(file, args, { cwd: this.folder, env: this.variables })
    return stdout
  }

  /** Runs a module in the folder, and returns what it prints. */
  runModule(text: string, node = "node"): Promise<string> {
    writeFileSync(join(this.folder, "module.mjs"), text)
    return this.run(node, "module.mjs")
  }

  /** Starts `npx @inlethq/cli serve` in the folder, as the leader of a process group. */
  serve(more: Readonly<Record<string, string>>): Launched {
    const command = `cd ${this.folder} && exec setsid npx @inlethq/cli serve`
    return launchAs(["sh", "-c", command], { ...this.defined(), ...more })
  }

  private defined(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(this.variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  }

  /** Returns the names of the installed packages. */
  installed(folder: string = this.folder): ReadonlyArray<string> {
    const modules = join(folder, "node_modules")
    return readdirSync(modules)
      .filter((name) => !name.startsWith("."))
      .flatMap((name) =>
        name.startsWith("@") ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
      )
  }
}
