import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { join } from "node:path"
import { defineConfig } from "vite"
import { writeLicences } from "../../tools/build/licences.ts"

/** The scripts of the console. A module belongs to the first of them that needs it. */
const parts = [
  { name: "first", test: /[\\/]src[\\/](?:main|router|frame[\\/]Frame)\.tsx$/, priority: 4 },
  { name: "dialogs", test: /[\\/](?:@base-ui|shared[\\/]\w+Dialog|frame)[\\/.]/, priority: 2 },
  { name: "live", test: /[\\/]src[\\/]pages[\\/](?:live|home)[\\/]/, priority: 3 },
  { name: "pages", test: /[\\/]src[\\/]pages[\\/]/, priority: 1 },
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
