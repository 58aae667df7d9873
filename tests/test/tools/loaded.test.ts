import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { eventually, within } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { launchAs } from "../../src/Launched.ts"
import { freshDirectory, stillRunning } from "../../src/cleanup.ts"

const script = fileURLToPath(new URL("../../../tools/testing/loaded.mjs", import.meta.url))

/** Runs `test:loaded` with two busy loops, and with a shell script in place of the test suite. */
const runLoaded = (suite: string) => {
  const directory = freshDirectory()
  writeFileSync(join(directory, "turbo"), `#!/bin/sh\n${suite}\n`)
  chmodSync(join(directory, "turbo"), 0o755)
  const run = fresh("run")
  const command = [process.execPath, script, "--loops", "2", "--filter=none"]
  const running = launchAs(command, {
    PATH: `${directory}:${process.env["PATH"]}`,
    STARTED_BY_INLET_TEST_RUN: run,
  })
  const loops = () => stillRunning(run).filter((line) => line.endsWith("loaded.mjs spin"))
  return { running, loops }
}

const waitForParent = "while kill -0 $PPID; do sleep 0.1; done"

it("test:loaded passes its arguments to the suite, exits with the suite's code and ends the busy loops", async () => {
  const { loops, running } = runLoaded(`echo "$@"; exit 3`)
  expect(await within("the command exits", running.exit)).toEqual({ code: 3, signal: null })
  expect(running.lines()).toEqual([
    "run test --force --filter=none",
    expect.stringMatching(/^tests with 2 busy loops: exit code 3 after \d+ s$/),
  ])
  await eventually("the busy loops have ended", () => (loops().length === 0 ? true : undefined))
})

it("test:loaded ends the busy loops when it is killed", async () => {
  const { loops, running } = runLoaded(waitForParent)
  await eventually("two busy loops run", () => (loops().length === 2 ? true : undefined))
  await running.signal("SIGKILL")
  await eventually("the busy loops have ended", () => (loops().length === 0 ? true : undefined))
})
