// Writes the SHA-256 checksums of the files in a folder to its file SHA256SUMS, which `sha256sum --check SHA256SUMS` reads.
//
//   node tools/release/checksums.mjs <folder>
import { createHash } from "node:crypto"
import { createReadStream, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"

const name = "SHA256SUMS"
const [, , folder] = process.argv
if (folder === undefined) throw new Error("expected the folder of the files")

const files = readdirSync(folder, { withFileTypes: true }).filter(
  (entry) => entry.isFile() && entry.name !== name,
)
const lines = []
for (const { name: file } of files.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
  const hash = createHash("sha256")
  await pipeline(createReadStream(join(folder, file)), hash)
  lines.push(`${hash.digest("hex")}  ${file}\n`)
}
writeFileSync(join(folder, name), lines.join(""))
