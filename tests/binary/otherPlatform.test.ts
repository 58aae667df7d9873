import { execFileSync } from "node:child_process"
import { openSync, readSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { nodeTool } from "../../tools/testing/nodeTool.ts"
import { freshDirectory } from "../src/cleanup.ts"
import { root } from "../src/documents/documents.ts"

const version = process.versions.node
const seconds = 60
const arm = nodeTool({ version, platform: "linux-arm64", seconds })
if (arm.missing !== undefined) console.error(`The file for another platform was not built: ${arm.missing}`)

/** The type of a file for Linux on arm64: the magic number of ELF, and the number of the processor. */
const elf = { magic: "7f454c46", machine: 0xb7 }

describe.skipIf(arm.missing !== undefined)("the executable for another platform", () => {
  it("has the type and the processor of that platform", () => {
    const file = join(freshDirectory(), "inlet")
    const node = join(arm.folder ?? "", "node")
    execFileSync(process.execPath, [join(root, "tools/build/binary.ts"), file, "--node", node])
    const header = Buffer.alloc(20)
    readSync(openSync(file, "r"), header)
    expect(header.subarray(0, 4).toString("hex")).toBe(elf.magic)
    expect(header.readUInt16LE(18)).toBe(elf.machine)
  })
})
