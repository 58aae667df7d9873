import { defineConfig, mergeConfig } from "vitest/config"
import shared from "../../vitest.shared.ts"

// Most tests wait for a server or for a time limit, so Vitest runs three files at a time on two cores.
export default mergeConfig(
  shared,
  defineConfig({ test: { globalSetup: ["test/startServers.ts"], maxWorkers: 3 } }),
)
