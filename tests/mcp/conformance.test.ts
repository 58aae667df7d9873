import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { startedByTest } from "../src/cleanup.ts"
import { credentials } from "../src/Inlet.ts"
import { sharedServer } from "../src/Tenant.ts"
import { SuiteProxy } from "./SuiteProxy.ts"

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

/** The scenarios for a server with tools. */
const applying = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "server-sse-multiple-streams",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
]

const noPrompts = "there are no prompts"
const noResources = "there are no resources"
const onlyText = "every tool answers with text and the same as JSON"
const asksNothing = "no tool asks the client for anything"
const endsAtOnce = "an answer is one document, which needs no stream"

/** The other scenarios, and why they say nothing of this server. */
const others: Readonly<Record<string, string>> = {
  "completion-complete": "there are no prompts and resources with arguments to complete",
  "tools-call-image": onlyText,
  "tools-call-audio": onlyText,
  "tools-call-embedded-resource": onlyText,
  "tools-call-mixed-content": onlyText,
  "tools-call-with-logging": endsAtOnce,
  "tools-call-with-progress": endsAtOnce,
  "server-sse-polling": endsAtOnce,
  "tools-call-sampling": asksNothing,
  "tools-call-elicitation": asksNothing,
  "elicitation-sep1034-defaults": asksNothing,
  "elicitation-sep1330-enums": asksNothing,
  "json-schema-2020-12": "it looks only at the schema of a tool of the suite's own example server",
  "resources-read-text": noResources,
  "resources-read-binary": noResources,
  "resources-templates-read": noResources,
  "resources-subscribe": noResources,
  "resources-unsubscribe": noResources,
  "prompts-get-simple": noPrompts,
  "prompts-get-with-args": noPrompts,
  "prompts-get-embedded-resource": noPrompts,
  "prompts-get-with-image": noPrompts,
}

/** Runs all scenarios, some of which fail, and returns what the suite printed. */
const run = (url: string): Promise<string> =>
  new Promise((resolve) =>
    execFile(
      process.execPath,
      [suite, "server", "--url", url, "--suite", "all"],
      { env: { ...process.env, ...startedByTest() } },
      (_error, stdout, stderr) => resolve(stripVTControlCharacters(stdout + stderr)),
    ),
  )

interface Outcome {
  readonly passed: number
  readonly failed: number
}

let outcomes: ReadonlyMap<string, Outcome>
beforeAll(async () => {
  const printed = await run(await SuiteProxy.start(sharedServer, credentials.token))
  const lines = printed.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gm)
  outcomes = new Map(
    [...lines].map(([, name = "", passed, failed]) => [
      name,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  )
  if (outcomes.size === 0) throw new Error(`the suite did not run:\n${printed}`)
})

describe("the conformance suite of MCP", () => {
  it("has no scenario that is not known here", () => {
    expect([...outcomes.keys()].toSorted()).toEqual([...applying, ...Object.keys(others)].toSorted())
  })

  it.each(applying)("passes the scenario %s", (name) => {
    const { failed, passed } = outcomes.get(name) ?? { passed: 0, failed: 0 }
    expect(failed).toBe(0)
    expect(passed).toBeGreaterThan(0)
  })

  it.each(Object.entries(others))("passes nothing in %s, because %s", (name) => {
    expect(outcomes.get(name)?.passed).toBe(0)
  })
})
