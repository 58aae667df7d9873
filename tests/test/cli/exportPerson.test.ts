import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    export: Schema.String,
    svc_id: Schema.String,
    files: Schema.Array(Schema.Struct({ name: Schema.String, bytes: Schema.Int, sha256: Schema.String })),
  }),
)

const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { inlet, out: join(freshDirectory(), "ada"), tenant }
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8")

/** A text that leaves its place in a page that does not escape it, in each way that HTML has. */
const hostile = `</td></table></pre><script>alert(1)</script><img src=x onerror='alert(2)'>"&lt;\u202etxt`

describe("inlet people export", () => {
  it("writes JSON lines, a page and a manifest whose hashes are those of the files", async () => {
    const { inlet, out, tenant } = await start()
    await tenant.identify("ada", { email: "ada@example.com", plan: "pro" })
    await tenant.recordEvent("ada", { name: "bought", data: { what: "tea" } })
    await tenant.identify("ada", { email: "countess@example.com" })
    const [said] = await inlet.lines("people", "export", "ada", "--out", out)
    expect(said).toMatch(/^Wrote person.html, manifest.json and \d+ lines in 7 files to /)
    const { export: format, files } = Schema.decodeUnknownSync(Manifest)(read(out, "manifest.json"))
    expect(format).toBe("inlet-person-1")
    expect(files.map(({ name }) => name).toSorted()).toEqual(
      readdirSync(out)
        .filter((name) => name !== "manifest.json")
        .toSorted(),
    )
    for (const { bytes, name, sha256 } of files) {
      const text = readFileSync(join(out, name))
      expect([name, text.length, createHash("sha256").update(text).digest("hex")]).toEqual([
        name,
        bytes,
        sha256,
      ])
      expect(statSync(join(out, name)).mode & 0o777).toBe(0o600)
    }
    expect(read(out, "activity.ndjson")).toContain('"what":"tea"')
    expect(read(out, "values.ndjson")).toContain('"path":"attributes.plan"')
    expect(read(out, "person.html")).toContain("ada@example.com")
    expect(read(out, "person.html")).toContain("email: left out countess@example.com (")
  })

  it("escapes everything that clients sent in the page, which forbids scripts", async () => {
    const { inlet, out, tenant } = await start()
    await tenant.identify("ada", { [hostile]: hostile, email: "ada@example.com" })
    await tenant.recordEvent("ada", { name: hostile, data: { [hostile]: hostile } })
    await tenant.track("PUT", "/api/v1/customers/ada/devices", { device: { id: hostile, platform: "ios" } })
    await inlet.lines("people", "export", "ada", "--out", out)
    const page = read(out, "person.html")
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(page).not.toMatch(/<script|<img|\u202e/i)
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag))
    expect([...tags].toSorted()).toEqual([
      "body",
      "h1",
      "h2",
      "head",
      "html",
      "li",
      "meta",
      "pre",
      "style",
      "table",
      "tbody",
      "td",
      "th",
      "thead",
      "title",
      "tr",
      "ul",
    ])
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  })

  it("an export that is killed has no manifest, and the next one is whole", async () => {
    const { inlet, out, tenant } = await start()
    await tenant.identify("ada", { email: "ada@example.com" })
    const event = { type: "person", identifiers: { id: "ada" }, action: "event", name: "bought" }
    const events = Array.from({ length: 1000 }, (_, n) => ({ ...event, attributes: { n } }))
    for (let batch = 0; batch < 3; batch++) await tenant.batch(events)
    const child = inlet.start(["people", "export", "ada", "--out", out])
    const ended = new Promise((resolve) => child.once("close", resolve))
    await eventually("the export has begun", () =>
      existsSync(join(out, "activity.ndjson")) ? true : undefined,
    )
    child.kill("SIGKILL")
    await ended
    // On a slow machine the export may have ended before the kill.
    const isWhole = read(out, "activity.ndjson").split("\n").length === 3002
    if (!isWhole) expect(existsSync(join(out, "manifest.json"))).toBe(false)
    expect((await inlet.run(["people", "export", "ada", "--out", out])).stderr).toContain("is not empty")
    rmSync(out, { recursive: true })
    await inlet.lines("people", "export", "ada", "--out", out)
    expect(read(out, "activity.ndjson").split("\n")).toHaveLength(3002)
    expect(existsSync(join(out, "manifest.json"))).toBe(true)
  })

  it("refuses a directory that is not empty, and leaves none behind for nobody", async () => {
    const { inlet, out, tenant } = await start()
    await tenant.identify("ada")
    mkdirSync(out)
    writeFileSync(join(out, "mine.txt"), "keep")
    const refused = await inlet.run(["people", "export", "ada", "--out", out])
    expect([refused.code, refused.stderr]).toEqual([1, `inlet: the directory ${out} is not empty\n`])
    expect(readdirSync(out)).toEqual(["mine.txt"])
    const other = `${out}-nobody`
    expect((await inlet.run(["people", "export", "nobody", "--out", other])).code).toBe(1)
    expect(existsSync(other)).toBe(false)
  })
})
