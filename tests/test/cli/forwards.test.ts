import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { BatchReceiver } from "../../src/forwards/BatchReceiver.ts"
import { createForward, forwardAttempts, untilDone } from "../../src/forwards/forwardCalls.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })

/** Creates a workspace with a receiver, and the command line for it. */
const start = async () => {
  const tenant = await Tenant.create({}, server)
  const inlet = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { tenant, inlet, receiver: await BatchReceiver.start() }
}

/** Creates a forward with `inlet forwards create` and returns its id. */
const createdBy = async (inlet: CommandLine, { url }: BatchReceiver, ...options: ReadonlyArray<string>) => {
  const settings = ["--name", "next", "--kind", "segment", "--to", url, "--key", "write-key", ...options]
  const [forward = ""] = await inlet.lines("forwards", "create", ...settings, "--jq", ".forward_id")
  return forward
}

it("inlet forwards create makes a forward, list and get show it without its key, and test sends an empty batch", async () => {
  const { inlet, receiver } = await start()
  const forward = await createdBy(inlet, receiver, "--filter", "kind:event", "--as", "sent")
  expect(await inlet.lines("forwards", "list")).toEqual([
    `${forward}\tnext\tsegment\tenabled\t0\t${receiver.url}`,
  ])
  const page = (await inlet.lines("forwards", "get", forward)).join("\n")
  expect(page).toMatch(/filter +kind:event/)
  expect(page).toMatch(/as +sent/)
  expect(page).not.toContain("write-key")

  expect((await inlet.lines("forwards", "test", forward))[0]).toBe("delivered")
  receiver.react = () => ({ status: 401 })
  const refused = await inlet.run(["forwards", "test", forward])
  expect([refused.code, refused.stdout.split("\n")[0]]).toEqual([1, "failed"])
  expect(refused.stderr).not.toBe("")
  expect(receiver.sizes).toEqual([0, 0])
})

it("inlet forwards update, pause, resume and delete change it", async () => {
  const { inlet, receiver, tenant } = await start()
  const forward = await createdBy(inlet, receiver)
  const settings = ["--name", "other", "--filter", "kind:event", "--retry", "standard", "--key", "new-key"]
  expect(await inlet.json("forwards", "update", forward, ...settings)).toMatchObject({
    name: "other",
    to: "segment",
    url: receiver.url,
    filter: "kind:event",
    retry: "standard",
  })
  expect(await inlet.json("forwards", "update", forward, "--filter", "")).toMatchObject({ filter: null })
  expect(await inlet.json("forwards", "pause", forward)).toMatchObject({ enabled: false })
  await tenant.recordEvent("ada", { name: "counted", data: { n: 1 } })
  expect((await inlet.lines("forwards", "list"))[0]?.split("\t")[3]).toBe("paused")
  expect(receiver.sizes).toEqual([])
  expect(await inlet.json("forwards", "resume", forward)).toMatchObject({ enabled: true })
  await untilDone(tenant, forward)
  expect(receiver.numbers).toEqual([1])
  expect(receiver.headers[0]?.authorization).toBe(`Basic ${Buffer.from("new-key:").toString("base64")}`)
  await inlet.lines("forwards", "delete", forward, "--yes")
  expect(await inlet.lines("forwards", "list")).toEqual([])
  const gone = await inlet.run(["forwards", "get", forward])
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("forward")])
})

it("inlet forwards attempts lists attempts, and resend, skip and recover send or give up their operations", async () => {
  const { inlet, receiver, tenant } = await start()
  receiver.react = () => ({ status: 503, body: "later" })
  const forward = await createdBy(inlet, receiver, "--retry", "hosted")
  await tenant.recordEvent("ada", { name: "counted", data: { n: 1 } })
  const attemptsAfter = async (count: number) => {
    await eventually(`${count} attempts`, async () =>
      (await forwardAttempts(tenant, forward)).length >= count ? true : undefined,
    )
    return (await inlet.lines("forwards", "attempts", forward)).map((line) => line.split("\t"))
  }
  const [[attempt = "", , ...first] = []] = await attemptsAfter(1)
  expect(first.slice(0, 3)).toEqual(["retrying", "1", "503 later"])
  expect((await inlet.lines("forwards", "get", forward)).join("\n")).toMatch(/BLOCKED BY\n +operation +op\w+/)
  await inlet.lines("forwards", "resend", forward, attempt)
  await attemptsAfter(2)
  await inlet.lines("forwards", "skip", forward, attempt)
  const [[, , status] = []] = await attemptsAfter(3)
  expect(status).toBe("skipped")
  const again = await inlet.run(["forwards", "skip", forward, attempt])
  expect(again.code).toBe(1)
  receiver.react = () => ({ status: 200 })
  expect(await inlet.lines("forwards", "recover", forward, "--since", "2020-01-01T00:00:00Z")).toEqual([
    "sending 1 operation again",
  ])
  await untilDone(tenant, forward)
  expect(await inlet.lines("forwards", "attempts", forward, "--status", "delivered")).toHaveLength(1)
})

const refused: ReadonlyArray<readonly [options: ReadonlyArray<string>, code: number, message: RegExp]> = [
  [["--to", "not a url"], 2, /^inlet: url: must be an http or https URL/],
  [["--to", "https://example.com/v1"], 2, /^inlet: url: cannot end in \/v1/],
  [
    ["--to", "http://10.0.0.1"],
    1,
    /^inlet: url: 10\.0\.0\.1 has the address 10\.0\.0\.1, which is not public/,
  ],
  [["--name", "All"], 2, /^inlet: name: All is what `integrations` call everything/],
  [["--key", "site:key"], 2, /^inlet: key: must be a write key without a colon/],
  [["--filter", "colour:red"], 2, /^inlet: filter: .*colour/],
]

it.each(refused)("inlet forwards create and update refuse %j", async (options, code, message) => {
  const { inlet, receiver, tenant } = await start()
  const given = ["--name", "next", "--to", receiver.url, "--key", "write-key"]
  const at = given.indexOf(options[0] ?? "")
  const others = at < 0 ? given : given.toSpliced(at, 2)
  const created = await inlet.run(["forwards", "create", "--kind", "segment", ...others, ...options])
  expect([created.code, created.stderr]).toEqual([code, expect.stringMatching(message)])
  const settings = { name: "there", to: "segment", url: receiver.url, key: "key" }
  const { forward_id } = await createForward(tenant, settings)
  const updated = await inlet.run(["forwards", "update", forward_id, ...options])
  expect([updated.code, updated.stderr]).toEqual([code, expect.stringMatching(message)])
})

it("inlet forwards update refuses to change nothing, and create a name that is taken", async () => {
  const { inlet, receiver } = await start()
  const forward = await createdBy(inlet, receiver)
  expect((await inlet.run(["forwards", "update", forward])).code).toBe(2)
  const settings = ["--name", "next", "--kind", "segment", "--to", receiver.url, "--key", "key"]
  const taken = await inlet.run(["forwards", "create", ...settings])
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("name")])
  const missing = await inlet.run(["forwards", "create", "--name", "x"])
  expect([missing.code, missing.stderr.split("\n")[0]]).toEqual([
    2,
    expect.stringContaining("Missing required flag"),
  ])
})
