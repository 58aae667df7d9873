import { join } from "node:path"
import { defineConfig } from "tsdown"

/** The `inlet` command as a bundle without node_modules, for container images. */
export default defineConfig({
  cwd: join(import.meta.dirname, "../.."),
  entry: {
    inlet: "apps/cli/src/main.ts",
    checkpointThread: "packages/storage-sqlite/src/engine/checkpointThread.ts",
    fileThread: "packages/lake/src/thread/fileThread.ts",
    openSqliteCatalog: "packages/storage-sqlite/src/read/openSqliteCatalog.ts",
    openPostgresCatalog: "packages/storage-postgres/src/read/openPostgresCatalog.ts",
  },
  outDir: "dist/image",
  format: "esm",
  platform: "node",
  target: "node26",
  deps: { alwaysBundle: /./, onlyBundle: false },
  outputOptions: { chunkFileNames: "[name].js" },
  fixedExtension: false,
  report: false,
})
