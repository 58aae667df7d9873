import { defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import shared from "../vitest.shared.ts"

const slowest = ["imports", "hostile", "crash", "lifecycle", "settings", "outage"]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? slowest.length : at
}

/** Starts the test files that wait for tens of seconds first, so that the others run at the same time. */
class SlowestFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b)))
  }
}

// Most of these tests wait for a server, so three files at a time suit two cores.
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ["src/globalServer.ts"],
      setupFiles: ["src/setup.ts"],
      sequence: { sequencer: SlowestFirst },
      maxWorkers: 3,
      maxConcurrency: 50,
    },
  }),
)
