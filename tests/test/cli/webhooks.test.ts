import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { attemptsOf, createWebhook, listWebhooks } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const receiver = await WebhookReceiver.start()
const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })

let paths = 0

/** Creates a workspace. Returns a client of the workspace, the command line configured for it, and the URL of a receiver. */
const start = async () => {
  const tenant = await Tenant.create({}, server)
  const inlet = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  const path = `/hook-${++paths}`
  return { tenant, inlet, path, url: receiver.url(path) }
}

/** Creates a webhook with `inlet webhooks create` and returns its id. */
const createdBy = async (inlet: CommandLine, ...options: ReadonlyArray<string>) => {
  const made = await inlet.json("webhooks", "create", ...options)
  return typeof made === "object" && made !== null && "webhook_id" in made ? String(made.webhook_id) : ""
}

/**
 * Waits until a webhook has made this many attempts, and returns the columns that `inlet webhooks attempts` prints. The
 * management API answers the polls, because each run of the command line starts a process.
 */
const attemptsAfter = async (inlet: CommandLine, tenant: Tenant, webhook: string, count: number) => {
  await eventually(`${count} attempts are listed`, async () =>
    (await attemptsOf(tenant, webhook)).length >= count ? true : undefined,
  )
  return (await inlet.lines("webhooks", "attempts", webhook)).map((line) => line.split("\t"))
}

it("inlet webhooks create makes a webhook for the address in --to and prints its signing secret once", async () => {
  const { inlet, path, url } = await start()
  const created = await inlet.run(["webhooks", "create", "--to", url, "--kind", "reporting"])
  const [webhook = ""] = created.stdout.split("\n")
  expect(created.stdout).toMatch(/signing secret +whsec_\S+/)
  expect(created.stderr).toBe("Save the signing secret now. It is not shown again.\n")
  expect(await inlet.lines("webhooks", "list")).toEqual([
    `${webhook}\t${new URL(url).host}\treporting\tenabled\t${url}`,
  ])
  expect((await inlet.lines("webhooks", "get", webhook)).join("\n")).not.toContain("whsec_")

  expect((await inlet.lines("webhooks", "test", webhook)).slice(0, 2)).toEqual([
    "delivered",
    "  response status  200",
  ])
  receiver.react = () => 503
  const refused = await inlet.run(["webhooks", "test", webhook])
  expect([refused.code, refused.stderr]).toEqual([1, "inlet: the receiver did not accept the sample event\n"])
  receiver.react = () => 200
  expect(receiver.at(path)).toHaveLength(2)

  const missing = await inlet.run(["webhooks", "create"])
  expect([missing.code, missing.stderr.split("\n")[0]]).toEqual([2, "inlet: Missing required flag: --to"])
})

it("inlet webhooks create and update reach the server of --url", async () => {
  const { tenant, url } = await start()
  const inlet = new CommandLine({
    INLET_URL: "http://127.0.0.1:1",
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  const webhook = await createdBy(inlet, "--to", url, "--url", server.url)
  await inlet.lines("webhooks", "update", webhook, "--to", `${url}/new`, "--url", server.url)
  expect(await tenant.get(`/webhooks/${webhook}`)).toMatchObject({ url: `${url}/new` })
})

it("inlet webhooks attempts lists attempts, and resend, skip and recover send or give up their events", async () => {
  const { inlet, path, tenant, url } = await start()
  receiver.react = (request) => (request.path === path ? 410 : 200)
  const webhook = await createdBy(inlet, "--to", url, "--kind", "activity", "--filter", "kind:event")
  await tenant.recordEvent("ada", { name: "signed_up" })
  const [[attempt = "", , ...first] = []] = await attemptsAfter(inlet, tenant, webhook, 1)
  expect(first.slice(0, 3)).toEqual(["retrying", "1", "410 status 410"])
  expect((await inlet.lines("webhooks", "get", webhook)).join("\n")).toMatch(/BLOCKED BY\n +operation +op\w+/)

  await inlet.lines("webhooks", "resend", webhook, attempt)
  await attemptsAfter(inlet, tenant, webhook, 2)
  await inlet.lines("webhooks", "skip", webhook, attempt)
  const [[, , status] = []] = await attemptsAfter(inlet, tenant, webhook, 3)
  expect(status).toBe("skipped")
  const again = await inlet.run(["webhooks", "skip", webhook, attempt])
  expect(again.code).toBe(1)

  receiver.react = () => 200
  expect(await inlet.lines("webhooks", "recover", webhook, "--since", "2020-01-01T00:00:00Z")).toEqual([
    "sending 1 event again",
  ])
  await attemptsAfter(inlet, tenant, webhook, 4)
  expect(await inlet.lines("webhooks", "attempts", webhook, "--status", "delivered")).toHaveLength(1)
})

it("inlet webhooks update changes settings, rotate-secret replaces the secret, and delete removes the webhook", async () => {
  const { inlet, url } = await start()
  const webhook = await createdBy(inlet, "--to", url, "--name", "shop")
  const settings = ["--to", `${url}/new`, "--events", "email_opened,email_clicked", "--no-enabled"]
  expect(await inlet.json("webhooks", "update", webhook, ...settings)).toMatchObject({
    name: "shop",
    url: `${url}/new`,
    events: ["email_opened", "email_clicked"],
    enabled: false,
  })
  expect((await inlet.lines("webhooks", "rotate-secret", webhook)).join("\n")).toMatch(
    /signing secret +whsec_\S+/,
  )
  await inlet.lines("webhooks", "delete", webhook)
  expect(await inlet.lines("webhooks", "list")).toEqual([])
})

const refusedSettings: ReadonlyArray<
  readonly [kind: string, option: string, value: string, code: number, message: RegExp]
> = [
  ["reporting", "--to", "not a url", 2, /^inlet: url: must be an http or https URL/],
  [
    "reporting",
    "--to",
    "http://10.0.0.1/",
    1,
    /^inlet: url: 10\.0\.0\.1 has the address 10\.0\.0\.1, which is not public/,
  ],
  [
    "reporting",
    "--to",
    "http://does-not-exist.invalid/",
    1,
    /^inlet: url: the host name .* does not resolve/,
  ],
  ["reporting", "--events", "email_eaten", 2, /^inlet: events: unknown event "email_eaten"/],
  ["reporting", "--filter", "kind:event", 2, /^inlet: filter: only activity webhooks/],
  ["activity", "--filter", "colour:red", 2, /^inlet: filter: .*colour/],
  [
    "activity",
    "--events",
    "email_opened",
    2,
    /^inlet: events: an activity webhook must leave this field out/,
  ],
]

it.each(refusedSettings)(
  "contract §17 settings: inlet webhooks create and update refuse a webhook of the kind %s with the option %s %j, and name the invalid setting",
  async (kind, option, value, code, message) => {
    const { inlet, tenant, url } = await start()
    const address = option === "--to" ? [] : ["--to", url]
    const created = await inlet.run(["webhooks", "create", "--kind", kind, ...address, option, value])
    expect([created.code, created.stderr]).toEqual([code, expect.stringMatching(message)])
    expect(await listWebhooks(tenant)).toEqual([])

    const { webhook_id: webhook } = await createWebhook(tenant, { url, kind })
    const updated = await inlet.run(["webhooks", "update", webhook, option, value])
    expect([updated.code, updated.stderr]).toEqual([code, expect.stringMatching(message)])
  },
)
