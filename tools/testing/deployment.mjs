// Checks the files for operators with the programs that read them. promtool checks the alerts in deploy/prometheus and
// runs their tests. helm checks the chart in deploy/helm, and its manifests are decoded as the types of Kubernetes. Go
// builds the programs once into the user's cache.
//
//   pnpm test:deployment [--build-seconds 1200]
//
// Exits with code 3 if a program cannot be built. Its checks then did not run.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { goTool } from "./goTool.mjs"

const missingCode = 3
const { values } = parseArgs({ options: { "build-seconds": { type: "string", default: "1200" } } })
const until = Date.now() + Number(values["build-seconds"]) * 1000
const deploy = join(import.meta.dirname, "../../deploy")
let code = 0

const built = (name, tool) => {
  const seconds = Math.max(1, Math.round((until - Date.now()) / 1000))
  const { missing, program } = goTool({ name, seconds, ...tool })
  if (program !== undefined) return program
  console.error(`The checks with ${name} did not run: ${missing}`)
  if (code === 0) code = missingCode
  return undefined
}

/** Runs a program. Returns what it printed, and fails the checks unless its success is as expected. */
const run = (program, args, { expected = true, ...options } = {}) => {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: deploy, encoding: "utf8", ...options })
  if ((status === 0) !== expected) {
    console.error(`${args.join(" ")} ${expected ? "failed" : "succeeded"}:\n${stdout}${stderr}`)
    code = 1
  }
  return stdout
}

const promtool = built("promtool", {
  command: "github.com/prometheus/prometheus/cmd/promtool",
  modules: ["github.com/prometheus/prometheus/cmd/promtool@v0.307.3"],
})
if (promtool !== undefined) {
  run(promtool, ["check", "rules", "prometheus/alerts.yaml"])
  run(promtool, ["test", "rules", "prometheus/alerts.test.yaml"])
  console.log("The alerts were checked.")
}

const helm = built("helm", {
  command: "helm.sh/helm/v3/cmd/helm",
  modules: ["helm.sh/helm/v3/cmd/helm@v3.19.2"],
})
const manifests = built("manifests", {
  source: join(import.meta.dirname, "manifests/main.go"),
  modules: [
    "k8s.io/client-go@v0.34.0",
    "k8s.io/api@v0.34.0",
    "k8s.io/apimachinery@v0.34.0",
    "sigs.k8s.io/yaml@v1.6.0",
  ],
})

/** Settings of the chart, each with the kinds of its manifests, or null if the chart must refuse them. */
const digest = `sha256:${"a".repeat(64)}`
const image = ["--set", `image.digest=${digest}`]
const secret = [
  "--set",
  "secret.databaseUrl=postgres://inlet@db/inlet",
  "--set",
  `secret.installationSecret=${"s".repeat(32)}`,
]
const postgres = [...image, "--set", "store=postgres"]
const renderings = [
  [image, ["Secret", "Service", "Service", "StatefulSet"]],
  [
    [...image, "--set", "secret.existing=mine", "--set", "serviceMonitor.enabled=true"],
    ["Service", "Service", "StatefulSet", "ServiceMonitor"],
  ],
  [
    [...postgres, ...secret],
    ["PodDisruptionBudget", "Secret", "Service", "Service", "Deployment"],
  ],
  [
    [...postgres, "--set", "secret.existing=mine", "--set", "replicas=1"],
    ["Service", "Service", "Deployment"],
  ],
  [
    ["--set", "image.tag=1"],
    ["Secret", "Service", "Service", "StatefulSet"],
  ],
  [[], null],
  [postgres, null],
  [[...image, "--set", "store=mysql"], null],
  [[...image, "--set", "secret.managementToken=short"], null],
  [[...image, "--set", "setings.INLET_LOG=info"], null],
]
if (helm !== undefined) {
  run(helm, ["lint", "--strict", "helm/inlet", ...image])
  for (const [settings, kinds] of renderings) {
    const args = ["template", "inlet", "helm/inlet", "--kube-version", "1.30.0", ...settings]
    const text = run(helm, args, { expected: kinds !== null })
    if (kinds === null || manifests === undefined) continue
    const found = run(manifests, [], { input: text }).match(/(?<=^(?:valid|skipped) ).*/gm) ?? []
    if (found.join() !== kinds.join()) {
      console.error(`${args.join(" ")} made ${found.join()} instead of ${kinds.join()}`)
      code = 1
    }
  }
  checkReleasedChart()
  console.log("The chart was checked.")
}
process.exit(code)

/** The chart of a release needs no setting, and runs the image of the release by its digest. */
function checkReleasedChart() {
  const out = mkdtempSync(join(tmpdir(), "inlet-chart-"))
  const named = `registry.example/inlet@${digest}`
  const tool = join(import.meta.dirname, "../release/deployFiles.mjs")
  run(process.execPath, [tool, "--image", named, "--release", "1.2.3", "--out", out])
  const chart = join(out, "inlet-chart-1.2.3.tgz")
  run(helm, ["lint", "--strict", chart])
  const text = run(helm, ["template", "inlet", chart, "--kube-version", "1.30.0"])
  const images = text.match(/(?<=^ +image: ").*(?="$)/gm) ?? []
  if (images.join() !== named) {
    console.error(`the chart of a release runs ${images.join()} instead of ${named}`)
    code = 1
  }
  rmSync(out, { recursive: true, force: true })
}
