#!/usr/bin/env node
import process from "node:process"
import { nodeFault } from "@inlethq/command-line/nodeVersion"

// Old versions of Node cannot load the rest of the program. So that they can print an error, this module imports statically
// only what they can load.
const fault = nodeFault(process.versions.node)
if (fault === undefined) await import("./start.ts")
else {
  process.stderr.write(`inlet: ${fault}\n`)
  process.exitCode = 1
}
