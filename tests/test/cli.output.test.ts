import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { credentials } from "../src/Inlet.ts"
import { cliFile, compileCache } from "../src/programs.ts"
import { sharedServer } from "../src/Tenant.ts"

const run = promisify(execFile)

/** Every write to this device fails as on a full disk. */
const fullDevice = "/dev/full"

describe.runIf(existsSync(fullDevice))("output to a full disk", () => {
  it.each(["workspaces list", "export people", "--help"])(
    "inlet %s says in one line that its output is incomplete, and exits with code 1",
    async (command) => {
      const shell = `exec "$INLET_NODE" "$INLET_CLI" ${command} > ${fullDevice}`
      const env = {
        ...compileCache,
        PATH: process.env["PATH"],
        INLET_NODE: process.execPath,
        INLET_CLI: cliFile,
        INLET_URL: sharedServer.url,
        INLET_MANAGEMENT_TOKEN: credentials.token,
      }
      await expect(run("sh", ["-c", shell], { env })).rejects.toMatchObject({
        code: 1,
        stderr:
          "inlet: cannot write the output, which is now incomplete; free disk space or write the output elsewhere: ENOSPC\n",
      })
    },
  )
})
