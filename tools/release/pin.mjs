// Pins the base images of the Dockerfile and the images of the compose files by digest, so that a later build uses the
// same bytes. The pull request of a release runs it. It needs docker with buildx, which looks the digests up.
//
//   node tools/release/pin.mjs [--check] [--root <folder>]
//
// With --check it changes nothing, and exits with 1 if an image has no digest.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, root: { type: "string" } },
})
const root = resolve(values.root ?? join(import.meta.dirname, "../.."))

const files = [
  "deploy/Dockerfile",
  "deploy/compose.yaml",
  "deploy/compose.https.yaml",
  "deploy/compose.postgres.yaml",
  "deploy/postgres/compose.yaml",
]

/** What stands for the image of Inlet, which a release builds and names with its digest. */
const ownImage = "${INLET_IMAGE:?set"

const reference = /^(\s*(?:FROM|image:)\s+)([^\s@]+)(@sha256:[0-9a-f]{64})?/gm

const lookUpTimeoutMs = 60_000

const digests = new Map()

const digestOf = (image) => {
  const known = digests.get(image)
  if (known !== undefined) return known
  const found = execFileSync(
    "docker",
    ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"],
    { encoding: "utf8", timeout: lookUpTimeoutMs },
  ).trim()
  if (!/^sha256:[0-9a-f]{64}$/.test(found)) throw new Error(`docker names no digest of ${image}: ${found}`)
  digests.set(image, found)
  return found
}

let unpinned = 0
for (const file of files) {
  const path = join(root, file)
  const text = readFileSync(path, "utf8")
  const pinned = text.replaceAll(reference, (whole, before, image, digest) => {
    if (image === ownImage) return whole
    if (!values.check) return `${before}${image}@${digestOf(image)}`
    if (digest === undefined) {
      unpinned++
      console.log(`${file}: ${image} has no digest`)
    }
    return whole
  })
  if (pinned !== text) writeFileSync(path, pinned)
}
if (unpinned > 0) {
  console.log("Run `pnpm pin` where docker can reach the registry of the images.")
  process.exitCode = 1
}
