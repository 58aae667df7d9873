import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

it("inlet people unmerge shows what would come back, and separates a person who is named by their id", async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.identify("ada", { email: "ada@example.com" })
  await tenant.identify("bob", { email: "bob@example.com", city: "Rome" })
  const bob = await tenant.person({ id: "bob" })
  await tenant.merge({ id: "ada" }, { id: "bob" })

  expect((await inlet.lines("people", "merges", "ada")).map((line) => line.split("\t").slice(0, 3))).toEqual([
    [bob.svc_id, "bob", "bob@example.com"],
  ])
  expect((await inlet.lines("people", "unmerge", "ada", "bob", "--preview")).join("\n")).toContain("city")
  expect((await inlet.lines("people", "unmerge", bob.svc_id, "--preview")).join("\n")).toContain("city")
  expect((await tenant.person({ id: "ada" })).attributes).toHaveProperty("city")

  const [first] = (await tenant.activity({ order: "asc" })).map(({ sequence }) => sequence)
  const then = (await inlet.lines("people", "get", "ada", "--position", String(first))).join("\n")
  expect(then).toContain(`as of    position ${first}`)
  expect(then).not.toContain("city")

  await inlet.lines("people", "unmerge", "ada", "bob", "--yes")
  expect((await tenant.person({ id: "bob" })).svc_id).toBe(bob.svc_id)
  expect((await tenant.person({ id: "ada" })).attributes).not.toHaveProperty("city")
  expect(await inlet.lines("people", "merges", "ada")).toEqual([])
  const [entry] = await tenant.activity({ kind: "unmerge" })
  expect((await inlet.lines("why", entry?.operation_id ?? "")).join(" ")).toContain(
    "The undoing of a merge for ada@example.com was applied.",
  )
})

it("inlet people unmerge --divide returns the events since the merge that named who was merged", async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.identify("ada", {})
  await tenant.identify("bob", { email: "bob@example.com" })
  const bob = await tenant.person({ id: "bob" })
  await tenant.merge({ id: "ada" }, { id: "bob" })
  await tenant.recordEvent("ada", { name: "hers" })
  await tenant.entity({
    type: "person",
    identifiers: { email: "bob@example.com" },
    action: "event",
    name: "his",
  })
  const whoDid = async (name: string) =>
    (await tenant.activity({ kind: "event" })).find((entry) => entry.name === name)?.subject.id
  expect([await whoDid("hers"), await whoDid("his")]).toEqual(["ada", "ada"])
  const previewed = await inlet.lines("people", "unmerge", bob.svc_id, "--preview")
  expect(previewed.slice(1, 5)).toEqual([
    "bob becomes a person again, and ada stays.",
    "1 event since the merge named ada by an identifier of bob, and stays with ada.",
    "Divided, it would go back to bob.",
    "1 other event since the merge stays with ada.",
  ])
  expect((await inlet.lines("people", "unmerge", bob.svc_id, "--divide", "--preview")).slice(2, 4)).toEqual([
    "1 event since the merge named ada by an identifier of bob, and goes back to bob.",
    "Undivided, it would stay with ada.",
  ])
  expect((await inlet.lines("people", "unmerge", bob.svc_id, "--divide", "--yes")).slice(1)).toEqual([
    "bob is a person again, and ada stays.",
    "1 event since the merge named ada by an identifier of bob, and went back to bob.",
    "1 other event since the merge stayed with ada.",
  ])
  expect([await whoDid("hers"), await whoDid("his")]).toEqual(["ada", "bob"])
})
