// Writes the compose files and the chart of a release, which name its image by digest. Those in `deploy` name none, because the digest
// is known only when the image is built.
//
//   node tools/release/deployFiles.mjs --image <name>@sha256:<digest> --release <version> --out <folder>
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: { image: { type: "string" }, release: { type: "string" }, out: { type: "string" } },
})
const { image = "", out, release = "" } = values
const [, repository, digest] = /^([\w.:/-]+)@(sha256:[0-9a-f]{64})$/.exec(image) ?? []
if (digest === undefined) throw new Error(`--image must be a name and a digest, not ${image}`)
if (!/^\d+\.\d+\.\d+$/.test(release)) throw new Error(`--release must be a version, not ${release}`)
if (out === undefined) throw new Error("--out must be a folder")

const deploy = join(import.meta.dirname, "../../deploy")
const composeFiles = ["compose.yaml", "compose.https.yaml", "compose.postgres.yaml", "postgres/compose.yaml"]

/** Replaces every match, and fails if there is none, so that a changed file cannot lose the image. */
const replaced = (path, ...pairs) => {
  const text = readFileSync(path, "utf8")
  const changed = pairs.reduce((now, [pattern, value]) => {
    if (!pattern.test(now)) throw new Error(`${path} has no ${pattern}`)
    return now.replaceAll(pattern, () => value)
  }, text)
  writeFileSync(path, changed)
}

const place = mkdtempSync(join(tmpdir(), "inlet-deploy-"))
try {
  const compose = join(place, "inlet-compose")
  for (const part of [...composeFiles, "caddy", "postgres"])
    cpSync(join(deploy, part), join(compose, part), { recursive: true })
  for (const file of composeFiles) replaced(join(compose, file), [/\$\{INLET_IMAGE:\?[^}]*\}/g, image])
  // What sets the variable in a clone has no effect any more.
  for (const file of composeFiles.filter((name) => !name.includes("/")))
    replaced(join(compose, file), [/^# +export INLET_IMAGE=.*\n/gm, ""])
  replaced(join(compose, "postgres/env.example"), [
    /^# Copy this file[^]*?^INLET_IMAGE=.*\n/gm,
    "# Copy this file to .env and fill it in.\n",
  ])

  const chart = join(place, "inlet")
  cpSync(join(deploy, "helm/inlet"), chart, { recursive: true })
  replaced(
    join(chart, "values.yaml"),
    [/^ {2}repository: .*$/gm, `  repository: ${repository}`],
    [/^ {2}digest: ""$/gm, `  digest: ${digest}`],
  )
  replaced(
    join(chart, "Chart.yaml"),
    [/^version: .*$/gm, `version: ${release}`],
    [/^appVersion: .*$/gm, `appVersion: ${release}`],
  )

  const target = resolve(out)
  mkdirSync(target, { recursive: true })
  const pack = (file, folder) => execFileSync("tar", ["-czf", join(target, file), "-C", place, folder])
  pack(`inlet-compose-${release}.tar.gz`, "inlet-compose")
  pack(`inlet-chart-${release}.tgz`, "inlet")
} finally {
  rmSync(place, { recursive: true, force: true })
}
