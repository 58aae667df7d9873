import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { freshDirectory } from "../src/cleanup.ts"
import { Inlet, variablesFor } from "../src/Inlet.ts"
import { launchAs, type Launched } from "../src/Launched.ts"

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A root directory with an executable, the libraries to which it links, and nothing else. */
export class EmptyRoot {
  readonly directory = join(freshDirectory(), "root")

  private readonly running: Array<Launched> = []

  constructor(binary: string) {
    for (const library of linkedTo(binary)) {
      const copy = join(this.directory, library)
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(library, copy)
    }
    for (const folder of ["data", "lake"]) mkdirSync(join(this.directory, folder))
    copyFileSync(binary, join(this.directory, "inlet"))
  }

  /** Starts the executable with the root as its only files. */
  launch(args: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): Launched {
    const command = [...asRoot, "chroot", this.directory, "/inlet", ...args]
    const launched = launchAs(command, { HOME: "/", ...variables })
    this.running.push(launched)
    return launched
  }

  /** Starts a server, and waits until it is ready. */
  serve(): Promise<Inlet> {
    const process = this.launch(["serve"], variablesFor("/data"))
    return Inlet.fromProcess(process, join(this.directory, "data"))
  }

  /** Kills what still runs. */
  async end(): Promise<void> {
    await Promise.all(this.running.splice(0).map((launched) => launched.signal("SIGKILL")))
  }

  /** Runs a command until it ends. */
  async run(args: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const { child, exit } = this.launch(args, variables)
    const outputs = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)))
    const [stdout = "", stderr = ""] = await Promise.all(outputs)
    return { code: (await exit).code, stdout, stderr }
  }
}

/** Only root may change the root directory, so others become root in a namespace of their own. */
const asRoot = process.getuid?.() === 0 ? [] : ["unshare", "--map-root-user"]

/** Returns the libraries to which a program links. */
export const linkedTo = (binary: string): ReadonlyArray<string> =>
  execFileSync("ldd", [binary], { encoding: "utf8" }).match(/\/\S+\.so\S*/g) ?? []
