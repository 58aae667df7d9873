import { afterAll, assert, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { CliConfig, CliOutput, Command } from "effect/cli"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { builtIns } from "../src/builtIns.ts"
import { commands } from "../src/commands.ts"
import { helpPages } from "../src/helpPages.ts"

// No server listens at this address. Every valid command then fails at its first request.
vi.stubEnv("INLET_URL", "http://127.0.0.1:1")
vi.stubEnv("INLET_MANAGEMENT_TOKEN", "t")
// The key of a bucket stands before the command in its example.
vi.stubEnv("AWS_ACCESS_KEY_ID", "k")
vi.stubEnv("AWS_SECRET_ACCESS_KEY", "s")

/** Splits a line of a shell into the words of its `inlet` command, without the file that gets the output. */
const wordsOf = (line: string): ReadonlyArray<string> => {
  const [, command = ""] = /inlet ([^|>]*)/.exec(line) ?? []
  return [...command.trim().matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  )
}

const directory = mkdtempSync(join(tmpdir(), "inlet-examples-"))
// The commands must not read the profiles of the person who runs the tests.
vi.stubEnv("XDG_CONFIG_HOME", directory)
const ndjson = join(directory, "file.ndjson")
writeFileSync(ndjson, '{"type":"person"}\n')
const rule = join(directory, "rule.json")
writeFileSync(rule, '{"identity":{"has":"email"}}')
const plans = join(directory, "plans.json")
writeFileSync(plans, '{"plans":[]}')
const csv = join(directory, "file.csv")
writeFileSync(csv, "id\nada\n")
const pairs = join(directory, "pairs.csv")
writeFileSync(pairs, "ada,bob\n")
afterAll(() => rmSync(directory, { recursive: true }))

/**
 * Returns the arguments of an example. Replaces names of CSV and NDJSON files by the path of an existing file, so that
 * the command can read the file.
 */
const argumentsOf = (line: string): ReadonlyArray<string> =>
  wordsOf(line).map((word) => {
    if (word === "pairs.csv") return pairs
    if (word.endsWith(".csv")) return csv
    if (word.endsWith(".ndjson")) return ndjson
    if (word === "plans.json") return plans
    return word.endsWith(".json") ? rule : word
  })

const silent = CliOutput.layerPresenter({ present: () => Effect.void })

/**
 * Returns true for an example that the test does not run, because it starts a server, calls none, opens a store or its
 * files, reads standard input or another file than a rule, or names another server.
 */
const isNotRun = (line: string) =>
  /inlet (serve|emulate|mcp|update|profiles|backup|copy|restore|migrate|distribute|capsule run|erasure verify|import \w+ \w+\.ndjson)|batch -$|example\.com/.test(
    line.replace(/\S+@example\.com|url=\S+/g, ""),
  )

const examples = Effect.runSync(helpPages).flatMap((page) =>
  (page.examples ?? []).map(({ command }) => command),
)

it("the help of every command without subcommands has an example", () => {
  const pages = Effect.runSync(helpPages)
  const without = pages.filter(
    ({ examples = [], subcommands = [] }) => examples.length + subcommands.length === 0,
  )
  assert.deepStrictEqual(
    without.map(({ commandPath }) => commandPath),
    [],
  )
})

it.effect.each(examples.filter((line) => !isNotRun(line)))(
  "the example is valid and fails only because no server listens: %s",
  (line) =>
    Effect.gen(function* () {
      const exit = yield* Command.runWith(commands, { version: "0" })(argumentsOf(line)).pipe(
        Effect.provide(Layer.mergeAll(NodeServices.layer, CliConfig.layer({ builtIns }), silent)),
        Effect.exit,
      )
      const error = Exit.isFailure(exit)
        ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))
        : undefined
      const text = error instanceof Error ? error.message : ""
      assert.match(
        text,
        line.startsWith("inlet doctor")
          ? /^problems found: \d/
          : /^no server responds at http:\/\/127\.0\.0\.1:1: /,
      )
    }),
)
