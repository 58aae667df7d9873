import { readFileSync } from "node:fs"
import { defineConfig } from "tsdown"
import tests from "./tsdown.tests.ts"

const released = "storage-postgres/src/migrations/released.ts"
const next = new URL("./nextFormat.js", import.meta.url)

/** Bundles the server with migrations of a later format, so that tests run two builds beside each other. */
export default defineConfig({
  ...tests,
  entry: {
    server: "apps/server/src/main.ts",
    openPostgresCatalog: "packages/storage-postgres/src/read/openPostgresCatalog.ts",
  },
  plugins: [
    {
      name: "next-format",
      transform: (code, id) => (id.endsWith(released) ? `${code}\n${readFileSync(next, "utf8")}` : undefined),
    },
  ],
})
