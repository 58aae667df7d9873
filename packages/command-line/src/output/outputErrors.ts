import { writeSync } from "node:fs"
import process from "node:process"
import { cliTexts } from "../texts/cliTexts.ts"

/**
 * Ends the process when its output can no longer be written: with code 0 when the reader closes the pipe, as `head`
 * does, and with code 1 and a message after another error, such as a full disk.
 */
export const exitOnOutputError = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0)
      if (stream === process.stdout) {
        const problem = error.code ?? error.message
        writeSync(process.stderr.fd, `inlet: ${cliTexts.outputNotWritten({ problem })}\n`)
      }
      process.exit(1)
    })
  }
}
