import { runProgram } from "@inlethq/command-line/runProgram"
import { browserLibraryFolder, channel, consoleFolder } from "./shipped.ts"

runProgram(
  process.argv.slice(2),
  { console: consoleFolder(), browserLibrary: browserLibraryFolder(), system: null },
  channel(),
)
