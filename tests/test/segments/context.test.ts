import { createInlet } from "@inlethq/testing"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import type { Management } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

/** Who clicked twice on the page with prices. */
const priced = {
  event: {
    name: "clicked",
    where: [{ field: "context.page.path", operator: "starts_with", value: "/pricing" }],
    count: { gte: 2 },
    within: "30d",
  },
}

const click = (userId: string, path: string) => ({
  type: "track" as const,
  userId,
  event: "clicked",
  context: { page: { path }, library: { name: "js", version: "2.1" } },
})

const people = ["ada", "bob"].map((userId) => ({ type: "identify" as const, userId }))

const clicks = [
  ...people,
  click("ada", "/pricing"),
  click("ada", "/pricing/teams"),
  click("bob", "/pricing"),
  click("bob", "/about"),
]

const createSegment = async (source: PipelinesSource, rule: object = priced) => {
  const made = await source.call("POST", source.pathOf("/segments"), { name: "Priced", rule })
  return { id: Number((made.json as { segment_id?: number }).segment_id), answer: made }
}

const sizeOf = async (source: PipelinesSource, segment: number) => {
  const { json } = await source.call("GET", source.pathOf(`/segments/${segment}`))
  const { size, state } = json as { size: number; state: string }
  return state === "active" ? size : state
}

/** Waits until the rule of a segment is active, with so many people. */
const built = (source: PipelinesSource, segment: number, size: number) =>
  eventually(`the segment has ${size} people`, async () =>
    (await sizeOf(source, segment)) === size ? true : undefined,
  )

const commandsOf = ({ workspace }: PipelinesSource) =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_TO_TOKEN: credentials.token,
    INLET_WORKSPACE: String(workspace),
  })

it("contract §12 conditions on the context: events count by the page they were on, and the proof names them", async () => {
  const source = await PipelinesSource.create({})
  await source.post("batch", { batch: clicks })
  const { id } = await createSegment(source)
  await built(source, id, 1)
  const counted = (await source.log()).filter(
    ({ context, subject }) => subject.id === "ada" && JSON.stringify({ context }).includes("/pricing"),
  )
  const proof = await source.call("GET", source.pathOf(`/segments/${id}/explain?person=ada`))
  expect(proof.json).toMatchObject({
    member: true,
    tree: {
      text: 'event "clicked" where context.page.path starts with "/pricing" at least 2 times in the last 30d',
      evidence: { operations: counted.map(({ operation_id }) => ({ operation_id })).toReversed() },
    },
  })
  await source.post("track", click("bob", "/pricing"))
  expect(await sizeOf(source, id)).toBe(2)
})

it("contract §12 conditions on the context: a rule sees no context that the workspace does not keep", async () => {
  const source = await PipelinesSource.create({ context: "off" })
  await source.post("batch", { batch: clicks })
  const { id } = await createSegment(source)
  await built(source, id, 0)
  await source.post("batch", { batch: clicks })
  expect(await sizeOf(source, id)).toBe(0)
})

it("contract §12 conditions on the context: a key that is misspelled is a 400 with the right one", async () => {
  const source = await PipelinesSource.create({})
  const where = [{ field: "context.user_agent", operator: "contains", value: "Safari" }]
  const { answer } = await createSegment(source, { event: { name: "clicked", where } })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.json)).toContain("did you mean `context.userAgent`?")
})

it("imported events count by the page they were on", async () => {
  const [from, to] = [await PipelinesSource.create({}), await PipelinesSource.create({})]
  await from.post("batch", { batch: clicks })
  const file = join(freshDirectory(), "events.ndjson")
  await commandsOf(from).lines("export", "events", "--output", file)
  const { id } = await createSegment(to)
  await built(to, id, 0)
  await to.post("batch", { batch: people })
  await commandsOf(to).lines("import", "events", file)
  expect(await sizeOf(to, id)).toBe(1)
})

it("events in the emulator count by the page they were on", async () => {
  await using inlet = await createInlet({ seed: clicks })
  const segment = await inlet.createSegment("Priced", priced)
  await inlet.expectPerson({ id: "ada" }, { segments: [segment] })
  await inlet.expectPerson({ id: "bob" }, { segments: [] })
})

/** The names of the members of a workspace's only segment. */
const membersIn = async (management: Management) => {
  const { items } = (await management.get("/segments")) as {
    readonly items: ReadonlyArray<{ readonly segment_id: number; readonly state: string }>
  }
  const [segment] = items
  if (segment?.state !== "active") return undefined
  const people = await management.people({ limit: "1000" })
  return people
    .filter(({ segments }) => segments.includes(segment.segment_id))
    .map(({ id }) => id)
    .toSorted()
}

it("contract §16 replay: a rule on the context has the same members after a replay into another server", async () => {
  const source = await PipelinesSource.create({})
  const { id } = await createSegment(source)
  await built(source, id, 0)
  await source.post("batch", { batch: [...clicks, { type: "identify", userId: "eve" }] })
  await source.post("batch", { batch: [click("eve", "/pricing"), click("eve", "/pricing")] })
  expect(await membersIn(source)).toStrictEqual(["ada", "eve"])
  const other = await Inlet.start()
  onTestFinished(async () => void (await other.stop()))
  const elsewhere = await Tenant.create({}, other)
  const beside = await Tenant.create({})
  const targets = [
    [`${other.url}#${elsewhere.workspace}`, elsewhere],
    [`#${beside.workspace}`, beside],
  ] as const
  for (const [to, target] of targets) {
    expect(await commandsOf(source).json("replay", "--to", to)).toMatchObject({ failed: 0, skipped: 0 })
    const members = await eventually("the rule is active", () => membersIn(target))
    expect(members).toStrictEqual(["ada", "eve"])
  }
})
