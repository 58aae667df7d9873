import { freePort } from "@inlethq/postgres-server/freePort"
import { Schema } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { root } from "../../src/documents/documents.ts"
import { eventually } from "../../src/eventually.ts"
import { event } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { launchAs } from "../../src/Launched.ts"

const folder = join(root, "deploy/postgres")
const read = (file: string): string => readFileSync(join(folder, file), "utf8")

const Service = Schema.Struct({
  image: Schema.String,
  environment: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  volumes: Schema.optionalKey(Schema.Array(Schema.String)),
})
const compose = Schema.decodeUnknownSync(Schema.Struct({ services: Schema.Record(Schema.String, Service) }))(
  parse(read("compose.yaml"), { strict: true, uniqueKeys: true, merge: true }),
)
const services = Object.entries(compose.services)
const nodes = services.filter(([, { image }]) => image.startsWith("${INLET_IMAGE:?"))

const hasBalancer = spawnSync("haproxy", ["-v"]).status === 0

const addressOf = ({ port }: Inlet): string => `127.0.0.1:${port}`

describe("the example with three nodes", () => {
  it("the nodes read every secret from the example file of settings, and this file sets no other variable", () => {
    const used = [...read("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const offered = [...read("env.example").matchAll(/^(\w+)=$/gm)].map(([, name]) => name)
    expect(offered.toSorted()).toEqual([...new Set(used)].toSorted())
  })

  it("the compose file gives three nodes the same secret and both hosts of the database", () => {
    expect(nodes.length).toBe(3)
    for (const [name, { environment }] of nodes) {
      expect(environment?.["INLET_STORE"], name).toMatch(
        /@primary:5432,standby:5432\/inlet\?target_session_attrs=read-write$/,
      )
    }
    expect(new Set(nodes.map(([, { environment }]) => JSON.stringify(environment))).size).toBe(1)
  })

  it("the compose file mounts only files that exist", () => {
    const sources = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(":")[0] ?? ""),
    )
    const files = sources.filter((source) => source.startsWith("./"))
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([])
  })

  it("the load balancer of the compose file knows every node", () => {
    const servers = [...read("haproxy.cfg").matchAll(/^ {2}server (\S+) "\$\{\w+-([^}]+)\}"$/gm)]
    expect(servers.map(([, name, address]) => [name, address])).toEqual(
      nodes.map(([name]) => [name, `${name}:8080`]),
    )
  })

  it.skipIf(!hasBalancer)("the load balancer answers every request although a node is killed", async () => {
    const [one, other] = await Promise.all([Inlet.start(), Inlet.start()])
    const port = await freePort()
    const balancer = launchAs(["haproxy", "-db", "-f", join(folder, "haproxy.cfg")], {
      INLET_BIND: `127.0.0.1:${port}`,
      NODE_1: addressOf(one),
      NODE_2: addressOf(other),
      NODE_3: addressOf(other),
    })
    const balanced = { url: `http://127.0.0.1:${port}` }
    const send = () => event(balanced, "ada", { name: "bought" })
    await eventually("the load balancer answers", async () => {
      if (balancer.exited !== undefined) throw new Error(balancer.output.join("\n"))
      return (await send().catch(() => undefined))?.status === 200 ? true : undefined
    })
    await one.kill()
    for (let n = 0; n < 50; n++) expect((await send()).status).toBe(200)
    await balancer.signal("SIGTERM")
    await other.stop()
  })
})
