import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { join } from "node:path"
import { defineConfig } from "vite"
import { writeLicences } from "../../tools/build/licences.ts"

/** What Home and Live share. Otherwise one of them would load the script of the other. */
const shared = "time/Time|lists/(?:EmptyState|ListPage|usePages)|values/(?:Code|Outcome|senderText)"

/** The scripts of the console. A module belongs to the first of them that needs it. */
const parts = [
  {
    name: "first",
    test: new RegExp(
      `/src/(?:main|router|frame/Frame|pages/live/ActivityChart|shared/(?:${shared}))\\.tsx?$`,
    ),
    priority: 6,
  },
  { name: "home", test: /[\\/]HomePage\.tsx$/, priority: 5 },
  { name: "live", test: /[\\/]LivePage\.tsx$/, priority: 4 },
  { name: "chart", test: /[\\/]OutcomeBars\.ts$/, priority: 3 },
  { name: "notices", test: /[\\/]Notices\.tsx$/, priority: 3 },
  { name: "dialogs", test: /[\\/](?:@base-ui|shared[\\/]\w+[\\/]\w+Dialog|frame|query)[\\/.]/, priority: 2 },
  { name: "pages", test: /[\\/]src[\\/](?:pages|session)[\\/]/, priority: 1 },
]

const server = process.env["INLET_URL"] ?? "http://127.0.0.1:8080"

export default defineConfig({
  base: "/console/",
  plugins: [react({ jsxImportSource: "#jsx" }), tailwindcss(), writeLicences],
  resolve: { alias: { "#jsx": join(import.meta.dirname, "src/jsx") } },
  build: {
    target: "es2023",
    // The content security policy of the console forbids data: URLs, so assets must not be inlined as such URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Otherwise the first start on a busy machine shows advice about the build.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: parts } },
    },
  },
  server: {
    proxy: {
      "/console/session": { target: server },
      "/management": { target: server },
    },
  },
})
