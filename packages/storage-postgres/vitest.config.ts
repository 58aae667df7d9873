import { defineConfig, mergeConfig } from "vitest/config"
import shared from "../../tools/testing/vitest.shared.ts"

// Most tests wait for a server or for a time limit. Therefore Vitest runs three test files at the same time, even on a
// machine with two cores.
export default mergeConfig(
  shared,
  defineConfig({ test: { globalSetup: ["test/startServers.ts"], maxWorkers: 3 } }),
)
