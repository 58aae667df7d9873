import { defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import shared from "../tools/testing/vitest.shared.ts"

/** The files of tests with a real browser, which `pnpm test:browser` runs. */
export const browserTests = "**/*browser.test.ts"

const slowest = [
  "requests/hostile",
  "cli/copy",
  "cli/imports",
  "documents/guides",
  "webhooks/many",
  "console/security.browser",
  "console/pages.browser",
  "cli/webhooks",
  "cli/data",
  "console/browser",
  "console/keyboard.browser",
  "console/tokens.browser",
  "console/actions.browser",
  "server/lifecycle",
  "server/tls",
  "sdk/batches",
  "contract/sizes",
  "requests/bad-input",
  "durability/damaged",
  "contract/identifiers",
  "tools/count",
  "durability/crash",
  "durability/syncFailures",
  "durability/outage",
  "tools/deploy",
  "nodes/chaos",
  "nodes/importJob",
  "lake/killedNode",
  "sdk/testing",
  "sdk/runtimes",
  "webhooks/crash",
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? slowest.length : at
}

/** Test files that wait for tens of seconds are started first, so that they run while the other files run. */
class SlowestFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b)))
  }
}

// Most of these tests wait for a server, so Vitest runs eight files at a time on two cores.
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ["src/globalServer.ts"],
      setupFiles: ["src/setup.ts"],
      sequence: { sequencer: SlowestFirst },
      exclude: [browserTests],
      maxWorkers: 8,
      maxConcurrency: 50,
    },
  }),
)
