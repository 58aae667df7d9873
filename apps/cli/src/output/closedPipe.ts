import process from "node:process"

/** Ends the process with code 0 when the reader of its output closes the pipe, as `head` does. */
export const exitOnClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0)
      throw error
    })
  }
}
