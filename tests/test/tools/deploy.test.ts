import { Schema } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { freshDirectory } from "../../src/cleanup.ts"
import { faultsOf, lastOf, stagesOf } from "../../src/dockerfile.ts"
import { root } from "../../src/documents/documents.ts"
import { within } from "../../src/eventually.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launchAs } from "../../src/Launched.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")
const yaml = (path: string): unknown => parse(read(path), { strict: true, uniqueKeys: true, merge: true })
const dockerfile = read("deploy/Dockerfile")

/**
 * Uses the pnpm that runs the tests, if the tests run under pnpm. While npx runs a package, it locks the package, so a
 * second npx would wait until the tests end.
 */
const pnpmOfTheRun = 'if command -v pnpm > /dev/null; then npx() { shift 2; pnpm "$@"; }; fi'

describe("the Dockerfile", () => {
  it("a linter of Dockerfiles would report no fault in the Dockerfile", () => {
    expect(faultsOf(dockerfile)).toEqual([])
  })

  it.each([
    ["FROM node\nRUN true", "the image contains the tools that built it: use a build stage"],
    ["FROM node:latest", "node:latest has no fixed version"],
    ["FROM node:26\nADD . /app", "ADD . /app: use COPY"],
    ["FROM node:26\nENV API_TOKEN=1", "ENV API_TOKEN=1: a secret would stay in the image"],
    [
      "FROM node:26\nCMD node app.js",
      "CMD node app.js: use the form with brackets, so that signals reach the program",
    ],
    ["FROM node:26\nUSER root", "the image runs as root"],
    ["FROM node:26 AS a\nRUN true\nFROM node:26\nCOPY . /app", "COPY . /app: the last stage copies sources"],
  ])("the check of Dockerfiles finds the fault in %j", (text, fault) => {
    expect(faultsOf(text)).toContain(fault)
  })

  it("the build context does not contain the files that Git ignores", () => {
    const ignored = read("deploy/Dockerfile.dockerignore").split("\n")
    const folders = read(".gitignore")
      .split("\n")
      .filter((line) => line.endsWith("/"))
    expect(
      folders.map((line) => `**/${line.slice(0, -1)}`).filter((line) => !ignored.includes(line)),
    ).toEqual([])
  })

  it("the steps of the Dockerfile build a server, which becomes healthy as an unprivileged user", async () => {
    const [build, final] = stagesOf(dockerfile)
    if (build === undefined || final === undefined) throw new Error("the Dockerfile must have two stages")
    const place = freshDirectory()
    // The unprivileged user of the image must be able to read the folders below this folder.
    chmodSync(place, 0o755)
    const source = join(place, "src")
    const app = join(place, "app")
    const data = join(place, "data")
    copyCheckout(source)
    for (const { argument } of build.instructions.filter(({ name }) => name === "RUN")) {
      runStep(argument.replaceAll("/app", app), source)
    }
    mkdirSync(data, { mode: 0o700 })
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(data, 1000, 1000)
    const inPlace = (argument: string) => argument.replaceAll("/app", app)
    const [, ...program] = words(inPlace(lastOf(final, "ENTRYPOINT") ?? ""))
    const env = { ...variablesFor(data), NODE_OPTIONS: "--max-semi-space-size=16" }
    const unprivileged = isRoot ? ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"] : []
    const node = isRoot ? copyNode(place) : process.execPath
    const server = launchAs([...unprivileged, node, ...program, ...words(lastOf(final, "CMD") ?? "")], env)
    const inlet = await Inlet.fromProcess(server, data)
    const [, ...check] = words(inPlace((lastOf(final, "HEALTHCHECK") ?? "").replace(/^.* CMD /, "")))
    const health = launchAs([node, ...check], { INLET_PORT: String(inlet.port) })
    expect(await within("the health check ends", health.exit)).toEqual({ code: 0, signal: null })
    const authorization = `Bearer ${credentials.token}`
    const page = await fetch(`${inlet.url}/console/`, { headers: { authorization } })
    expect(page.status).toBe(200)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
    const gone = launchAs([node, ...check], { INLET_PORT: String(inlet.port) })
    expect(await within("the health check ends", gone.exit)).toEqual({ code: 1, signal: null })
  })
})

/** Copies the files that Git tracks or would track. */
const copyCheckout = (target: string): void => {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  })
  for (const file of listed
    .toString()
    .split("\0")
    .filter((name) => name !== "")) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(target, file))
  }
}

/**
 * Runs a build step of the Dockerfile with the environment of this machine, in which the package manager finds its
 * registry.
 */
const runStep = (command: string, cwd: string): void => {
  execFileSync("sh", ["-ec", `${pnpmOfTheRun}\n${command}`], {
    cwd,
    env: { ...process.env, CI: "true" },
    stdio: "pipe",
  })
}

/** Copies Node to a folder that an unprivileged user can read. */
const copyNode = (place: string): string => {
  const copy = join(place, "node")
  cpSync(process.execPath, copy)
  return copy
}

const words = (argument: string): ReadonlyArray<string> =>
  Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))(argument)

const Service = Schema.Struct({
  image: Schema.String,
  build: Schema.optionalKey(Schema.Never),
  read_only: Schema.optionalKey(Schema.Boolean),
  cap_drop: Schema.optionalKey(Schema.Array(Schema.String)),
  security_opt: Schema.optionalKey(Schema.Array(Schema.String)),
  ports: Schema.optionalKey(Schema.Array(Schema.String)),
  environment: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  volumes: Schema.optionalKey(Schema.Array(Schema.String)),
  mem_limit: Schema.String,
  stop_grace_period: Schema.String,
  restart: Schema.String,
  logging: Schema.Struct({ options: Schema.Record(Schema.String, Schema.String) }),
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Service),
  volumes: Schema.Record(Schema.String, Schema.Unknown),
})

const composeFiles = [
  "deploy/compose.yaml",
  "deploy/compose.https.yaml",
  "deploy/compose.postgres.yaml",
  "deploy/postgres/compose.yaml",
]

/** The one service that strangers may reach, on the ports of http and https. */
const publicService = "caddy"

describe.each(composeFiles)("%s", (file) => {
  const compose = Schema.decodeUnknownSync(Compose)(yaml(file))
  const services = Object.entries(compose.services)
  const nodes = services.filter(([, { image }]) => /^\$\{INLET_IMAGE:\?[^}]* digest\}$/.test(image))

  it("the compose file runs Inlet with a read-only root file system and without privileges", () => {
    expect(nodes.length).toBeGreaterThan(0)
    for (const [name, service] of nodes) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      })
    }
  })

  it("the compose file limits the memory and the logs of every service, and restarts a service that ends", () => {
    for (const [name, { logging, mem_limit, restart }] of services) {
      expect(mem_limit, name).toMatch(/^\d+[mg]$/)
      expect(Object.keys(logging.options), name).toEqual(expect.arrayContaining(["max-size", "max-file"]))
      expect(restart, name).toBe("unless-stopped")
    }
  })

  it("the compose file gives each server more than the 10 seconds that it may take to stop", () => {
    for (const [name, { stop_grace_period }] of nodes) {
      expect(Number.parseInt(stop_grace_period, 10), name).toBeGreaterThan(10)
    }
  })

  it("the compose file publishes ports only on the loopback address, and contains no secret", () => {
    for (const [name, { environment = {}, ports = [] }] of services) {
      if (name === publicService) expect(ports).toEqual(["80:80", "443:443"])
      else for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
      for (const [name, value] of Object.entries(environment)) {
        if (/SECRET|PASSWORD|TOKEN|KEY/.test(name)) expect(value, name).toMatch(/^\$\{\w+:\?/)
      }
    }
  })

  it("the compose file declares every volume that a service mounts", () => {
    const sources = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(":")[0]))
    const mounted = sources.filter((source) => !source?.startsWith("./"))
    expect(Object.keys(compose.volumes).toSorted()).toEqual(mounted.toSorted())
  })
})

describe("the compose file with https", () => {
  const { services } = Schema.decodeUnknownSync(Compose)(yaml("deploy/compose.https.yaml"))
  const Networks = Schema.Struct({
    networks: Schema.Struct({
      behind: Schema.Struct({
        ipam: Schema.Struct({ config: Schema.Array(Schema.Struct({ subnet: Schema.String })) }),
      }),
    }),
  })
  const settings = services["inlet"]?.environment ?? {}

  it("trusts the network of its proxy and no other", () => {
    const { networks } = Schema.decodeUnknownSync(Networks)(yaml("deploy/compose.https.yaml"))
    expect(networks.behind.ipam.config).toEqual([{ subnet: settings["INLET_TRUSTED_PROXIES"] }])
  })

  it("leads the two names to the two addresses of the server", () => {
    const sites = [
      ...read("deploy/caddy/Caddyfile").matchAll(/^\{\$(\w+)\} \{\n[^}]*?reverse_proxy (\S+) /gm),
    ]
    expect(sites.map(([, name, upstream]) => [name, upstream])).toEqual([
      ["INLET_DOMAIN", "inlet:8080"],
      ["INLET_OPERATOR_DOMAIN", `inlet:${settings["INLET_OPERATOR_PORT"]}`],
    ])
    expect(Object.keys(services[publicService]?.environment ?? {})).toEqual(sites.map(([, name]) => name))
    expect(settings["INLET_PUBLIC_URL"]).toMatch(/^https:\/\/\$\{INLET_DOMAIN:/)
  })
})

describe("the systemd unit", () => {
  const unit = read("deploy/systemd/inlet.service")
  const analyze = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "systemd-analyze"))
    .find((path) => existsSync(path))

  it.skipIf(analyze === undefined)("is valid for systemd", () => {
    const file = join(root, "deploy/systemd/inlet.service")
    expect(execFileSync(analyze ?? "", ["verify", file], { stdio: "pipe" }).toString()).toBe("")
  })

  it("the systemd unit gives the server more than the 10 seconds that it may take to stop", () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10)
  })

  it("the systemd unit runs the server as an unprivileged user that can write only to its data directory", () => {
    for (const line of [
      "DynamicUser=yes",
      "ProtectSystem=strict",
      "StateDirectory=inlet",
      "NoNewPrivileges=yes",
    ]) {
      expect(unit).toContain(`\n${line}\n`)
    }
  })
})

describe("the digests of images", () => {
  const digest = `sha256:${"ab".repeat(32)}`

  /** Runs `tools/release/pin.mjs` on a copy of the deployment files. `docker` stands for a docker that knows one digest. */
  const pin = (folder: string, ...options: ReadonlyArray<string>) => {
    const docker = join(folder, "bin", "docker")
    mkdirSync(join(folder, "bin"), { recursive: true })
    writeFileSync(docker, `#!/bin/sh\necho ${digest}\n`, { mode: 0o755 })
    const environment = { ...process.env, PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}` }
    const program = [join(root, "tools/release/pin.mjs"), "--root", folder, ...options]
    return spawnSync(process.execPath, program, { encoding: "utf8", env: environment })
  }

  it("every image gets its digest, and the check names the images without one", () => {
    const folder = freshDirectory()
    cpSync(join(root, "deploy"), join(folder, "deploy"), { recursive: true })
    const file = join(folder, "deploy/compose.postgres.yaml")
    writeFileSync(file, readFileSync(file, "utf8").replace(/@sha256:\w+/g, ""))
    const before = pin(folder, "--check")
    expect(before.status).toBe(1)
    expect(before.stdout).toMatch(/^deploy\/compose\.postgres\.yaml: postgres:\S+ has no digest$/m)
    expect(before.stdout).not.toContain("inlet has no digest")
    expect(pin(folder).status).toBe(0)
    expect(readFileSync(file, "utf8")).toMatch(new RegExp(`image: postgres:[^@]+@${digest}\n`))
    expect(readFileSync(join(folder, "deploy/Dockerfile"), "utf8")).toContain(`@${digest} AS build`)
    expect(pin(folder, "--check")).toMatchObject({ status: 0, stdout: "" })
  })
})

describe("the files of a release", () => {
  const image = `registry.example/inlet@sha256:${"cd".repeat(32)}`

  it("the compose files and the chart name the image by digest and build nothing", () => {
    const out = freshDirectory()
    const tool = join(root, "tools/release/deployFiles.mjs")
    execFileSync(process.execPath, [tool, "--image", image, "--release", "1.2.3", "--out", out])
    for (const file of readdirSync(out)) execFileSync("tar", ["-xzf", join(out, file), "-C", out])
    for (const file of composeFiles) {
      const path = join(out, file.replace("deploy/", "inlet-compose/"))
      const { services } = Schema.decodeUnknownSync(Compose)(
        parse(readFileSync(path, "utf8"), { merge: true }),
      )
      expect(
        Object.values(services).map((service) => service.image),
        file,
      ).toContain(image)
      expect(readFileSync(path, "utf8"), file).not.toContain("INLET_IMAGE")
    }
    const Values = Schema.Struct({
      image: Schema.Struct({ repository: Schema.String, digest: Schema.String }),
    })
    const values = Schema.decodeUnknownSync(Values)(
      parse(readFileSync(join(out, "inlet/values.yaml"), "utf8")),
    )
    expect(`${values.image.repository}@${values.image.digest}`).toBe(image)
    expect(readFileSync(join(out, "inlet/Chart.yaml"), "utf8")).toMatch(
      /^version: 1\.2\.3\nappVersion: 1\.2\.3$/m,
    )
  })

  it.each([
    ["--image", "inlet:latest", "--release", "1.2.3"],
    ["--image", image, "--release", "next"],
  ])("an image without a digest and a name that is no version are refused", (...options) => {
    const tool = join(root, "tools/release/deployFiles.mjs")
    const { status } = spawnSync(process.execPath, [tool, ...options, "--out", freshDirectory()])
    expect(status).toBe(1)
  })

  it("sha256sum accepts the checksums", () => {
    const folder = freshDirectory()
    for (const name of ["b", "a"]) writeFileSync(join(folder, name), name)
    const tool = join(root, "tools/release/checksums.mjs")
    for (const _ of [1, 2]) execFileSync(process.execPath, [tool, folder])
    const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder, encoding: "utf8" })
    expect(checked).toBe("a: OK\nb: OK\n")
  })

  it("every public package says where the project is, and which Node runs it", () => {
    const tool = join(root, "tools/release/manifests.mjs")
    expect(spawnSync(process.execPath, [tool, "--check"], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: "",
    })
    const folder = freshDirectory()
    const manifests = ["package.json", "packages/sdk/package.json", "apps/cli/package.json"]
    for (const path of manifests) cpSync(join(root, path), join(folder, path))
    const path = join(folder, "packages/sdk/package.json")
    writeFileSync(path, readFileSync(path, "utf8").replace(/"repository": \{[^}]*\},/, ""))
    const lacking = spawnSync(process.execPath, [tool, "--check", "--root", folder], { encoding: "utf8" })
    expect(lacking.status).toBe(1)
    expect(lacking.stdout).toMatch(/^packages\/sdk\/package\.json: repository must be/)
  })
})

const Step = Schema.Struct({
  uses: Schema.optionalKey(Schema.String),
  run: Schema.optionalKey(Schema.String),
})
const Workflow = Schema.Struct({
  permissions: Schema.Struct({ contents: Schema.Literal("read") }),
  jobs: Schema.Record(
    Schema.String,
    Schema.Struct({ "timeout-minutes": Schema.Finite, steps: Schema.Array(Step) }),
  ),
})

describe.each(readdirSync(join(root, ".github/workflows")))("the workflow %s", (file) => {
  const { jobs } = Schema.decodeUnknownSync(Workflow)(yaml(`.github/workflows/${file}`))
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const Scripts = Schema.fromJsonString(
    Schema.Struct({ scripts: Schema.Record(Schema.String, Schema.String) }),
  )
  const { scripts } = Schema.decodeUnknownSync(Scripts)(read("package.json"))

  it("the CI workflow uses only actions of GitHub itself, pinned by commit", () => {
    for (const { uses } of steps)
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
  })

  it("the CI workflow runs only scripts of package.json and files of the repository", () => {
    for (const { run = "" } of steps) {
      for (const [, script = ""] of run.matchAll(/pnpm@12 (?!install)([\w:]+)/g))
        expect(scripts).toHaveProperty([script])
      for (const [path] of run.matchAll(/(?<![\w/])(?:\.ci|deploy)\/[\w.]+/g))
        expect(existsSync(join(root, path)), path).toBe(true)
    }
  })

  it("the CI workflow passes values of the event to shells only through environment variables", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{")
  })
})
