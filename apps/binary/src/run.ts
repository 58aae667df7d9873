import { runProgram } from "@inlethq/command-line/runProgram"
import { assetSystem } from "./assetSystem.ts"

runProgram(
  process.argv.slice(2),
  { console: "/console", browserLibrary: "/browser-library", system: assetSystem },
  "file",
)
