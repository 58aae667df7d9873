// Makes everything of a release that this machine can make, in `dist/release`, and uploads nothing. It ends with a list of the files and
// of what it left out.
//
//   pnpm release:dry
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const out = join(root, "dist/release")
const packages = join(root, "dist/tarballs")
const image = join(root, "dist/image")
const platforms = ["linux-x64", "linux-arm64", "macos-arm64"]
const platform = `${process.platform === "darwin" ? "macos" : process.platform}-${process.arch}`
const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"))
const leftOut = platforms
  .filter((other) => other !== platform)
  .map((other) => `the file for ${other}, which a runner of that platform builds`)

const run = (...command) => execFileSync(command[0], command.slice(1), { cwd: root, stdio: "inherit" })
const node = (tool, ...args) => run(process.execPath, join(root, tool), ...args)
const pnpm = (...args) => run("npx", "-y", "pnpm@12", ...args)

for (const folder of [out, packages, image]) rmSync(folder, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

pnpm("run", "build")
node("tools/release/pack.mjs", "--tarballs", packages)
node("tools/release/installed.mjs", packages)
node("tools/build/binary.ts", join(out, `inlet-${platform}`))
node("deploy/image.mjs", image)
node("tools/release/deployFiles.mjs", "--image", imageName(), "--release", version, "--out", out)
pnpm("run", "release:sbom", join(out, `inlet-${version}.cdx.json`))
node("tools/release/licences.mjs", out)
node("tools/release/checksums.mjs", out)

leftOut.push("provenance, which only the runner of the workflow can attest", "every upload")
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
for (const folder of [packages, out])
  for (const file of readdirSync(folder))
    console.log(`${megabytes(statSync(join(folder, file)).size).padStart(9)}  ${file}`)
console.log(`${megabytes(sizeOf(image)).padStart(9)}  the folder of the image`)
for (const part of leftOut) console.log(`left out: ${part}`)

/** The image with its digest, if docker can build it. Otherwise the digest of its files stands for that of the image. */
function imageName() {
  const tag = `inlet:${version}`
  const built = spawnSync("docker", ["build", "--file", "deploy/Dockerfile", "--tag", tag, "."], {
    cwd: root,
  })
  if (built.status === 0) {
    const id = execFileSync("docker", ["image", "inspect", tag, "--format", "{{.Id}}"], { encoding: "utf8" })
    return `inlet@${id.trim()}`
  }
  leftOut.push(
    "the image, because docker cannot build here: the chart and the compose files name the digest of its files",
  )
  const hash = createHash("sha256")
  for (const file of filesIn(image)) hash.update(file).update(readFileSync(join(image, file)))
  return `inlet@sha256:${hash.digest("hex")}`
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

function sizeOf(folder) {
  return filesIn(folder).reduce((bytes, file) => bytes + statSync(join(folder, file)).size, 0)
}
