import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { CommandFailed } from "../texts/commandErrors.ts"
import { whatIfTexts } from "../texts/whatIfTexts.ts"

/** The longest time that another build may take to listen. */
const startMsMax = 60_000

/** The output of a build that is looked through for its address, in characters. */
const outputCharactersMax = 64 * 1024

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    bin: Schema.optionalKey(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)])),
  }),
)
const decodeManifest = Schema.decodeUnknownOption(Manifest)

/** Returns the command that runs the server of a build: of one file, of an installed package's folder, or of a checkout with `dist/`. */
const commandOf = (path: string): ReadonlyArray<string> | null => {
  if (!existsSync(path)) return null
  if (statSync(path).isFile())
    return /\.[mc]?[jt]s$/.test(path) ? [process.execPath, path, "serve"] : [path, "serve"]
  for (const file of ["dist/inlet.js", "dist/server.js"]) {
    if (existsSync(join(path, file))) return [process.execPath, join(path, file), "serve"]
  }
  const manifest = join(path, "package.json")
  const found = existsSync(manifest) ? decodeManifest(readFileSync(manifest, "utf8")) : Option.none()
  const bin = Option.isSome(found) ? found.value.bin : undefined
  const file = typeof bin === "string" ? bin : (bin?.["inlet"] ?? Object.values(bin ?? {})[0])
  return file === undefined ? null : [process.execPath, join(path, file), "serve"]
}

/** Starts the server of another build with a store in memory, and stops it when the scope closes. */
export const startBuild = Effect.fnUntraced(function* (path: string) {
  const [file, ...args] = commandOf(path) ?? []
  if (file === undefined) return yield* new CommandFailed({ message: whatIfTexts.noBuild({ path }) })
  const token = randomBytes(24).toString("base64url")
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "inlet-build-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
  )
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    INLET_STORE: "memory",
    INLET_PORT: "0",
    INLET_DATA_DIR: join(folder, "data"),
    INLET_CONSOLE: "off",
    INLET_MANAGEMENT_TOKEN: token,
  }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })),
    (started) => Effect.sync(() => started.kill("SIGKILL")),
  )
  const url = yield* Effect.callback<string, CommandFailed>((resume) => {
    let printed = ""
    const fail = (problem: string) =>
      resume(Effect.fail(new CommandFailed({ message: whatIfTexts.buildNotStarted({ path, problem }) })))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-outputCharactersMax)
        const found = /https?:\/\/[\w.[\]:-]+:\d+/.exec(printed)
        if (found !== null) resume(Effect.succeed(found[0]))
      })
    }
    child.once("error", ({ message }) => fail(message))
    child.once("exit", () => fail(printed.trim().split("\n").at(-1) ?? ""))
  }).pipe(
    Effect.timeoutOrElse({
      duration: startMsMax,
      orElse: () =>
        Effect.fail(new CommandFailed({ message: whatIfTexts.buildNotStarted({ path, problem: "" }) })),
    }),
  )
  const layer = ManagementClient.layer({ url, token: Redacted.make(token) })
  return { url, client: yield* Effect.provide(ManagementClient, Layer.fresh(layer)) }
})
