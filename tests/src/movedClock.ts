import { readFileSync } from "node:fs"

/**
 * Node loads this module before the server. The module moves the clock of the process by as many milliseconds as stand in the
 * file that the environment names, and follows the file.
 */

const file = process.env["INLET_TEST_CLOCK"] ?? ""
const rereadMs = 20

const movedMs = (): number => Number(readFileSync(file, "utf8"))

let moved = movedMs()
const now = Date.now.bind(Date)
Date.now = () => now() + moved
setInterval(() => {
  moved = movedMs()
}, rereadMs).unref()
