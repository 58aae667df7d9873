import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"

const freshDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "inlet-spool-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const spoolModule = new URL("../src/spool/FileSpool.ts", import.meta.url).href

/** Runs a program that has a spool in scope, in a process whose files hold at most 1,024 bytes. Returns what it prints. */
const runOnFullDisk = (program: string): string => {
  const directory = freshDirectory()
  const file = join(directory, "program.mjs")
  writeFileSync(
    file,
    `import { FileSpool } from ${JSON.stringify(spoolModule)}
    const spool = new FileSpool({ directory: ${JSON.stringify(join(directory, "spool"))} })
    const call = (messageId, bytes) => JSON.stringify({ messageId, text: "x".repeat(bytes) })
    ${program}`,
  )
  return execFileSync("bash", ["-c", 'ulimit -f 1; exec "$0" "$1"', process.execPath, file], {
    encoding: "utf8",
  })
}

describe.skipIf(process.platform === "win32")("a spool on a full disk", () => {
  it("does not keep a call that is written only in part, and keeps the calls after it whole", () => {
    const printed = runOnFullDisk(`
      console.log(spool.keep(call("whole", 600)), spool.keep(call("cut", 600)), spool.keep(call("small", 100)))
      console.log(spool.next().calls.map((json) => JSON.parse(json).messageId).join())
    `)
    expect(printed).toBe("true false true\nwhole,small\n")
  })
})
