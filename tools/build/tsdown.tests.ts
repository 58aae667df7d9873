import { defineConfig } from "tsdown"
import start from "./tsdown.start.ts"

/** Bundles the server and the command line for tests, which start them hundreds of times. */
export default defineConfig({
  ...start,
  entry: {
    server: "apps/server/src/main.ts",
    inlet: "apps/cli/src/main.ts",
    checkpointThread: "packages/storage-sqlite/src/engine/checkpointThread.ts",
    fileThread: "packages/lake/src/thread/fileThread.ts",
    openSqliteCatalog: "packages/storage-sqlite/src/read/openSqliteCatalog.ts",
    openPostgresCatalog: "packages/storage-postgres/src/read/openPostgresCatalog.ts",
  },
})
