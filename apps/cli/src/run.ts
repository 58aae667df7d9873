import { runProgram } from "@inlethq/command-line/runProgram"
import { consoleFolder } from "./consoleFolder.ts"

runProgram(process.argv.slice(2), { console: consoleFolder(), browserLibrary: null, system: null })
