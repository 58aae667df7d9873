import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectSingleFault } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const change = (
  segment: number | string,
  action: "add" | "remove",
  ids: unknown,
  query = "",
  owner = tenant,
) => owner.track("POST", `/api/v1/segments/${segment}/${action}_customers${query}`, { ids })

/** Creates people who each have an id and an email. */
const createPeople = async (count: number) => {
  const all = Array.from({ length: count }, () => ({ id: fresh("p"), email: freshEmail() }))
  await tenant.batch(
    all.map(({ email, id }) => ({
      type: "person",
      identifiers: { id },
      action: "identify",
      attributes: { email },
    })),
  )
  return all
}

describe("a manual segment", () => {
  it("track-api §2.8: segment calls address a segment by an integer, and add and remove people", async () => {
    const segment = await tenant.createSegment("beta")
    expect(await tenant.segment(segment)).toEqual(
      expect.objectContaining({ segment_id: segment, name: "beta", kind: "manual", size: 0 }),
    )
    const [a, b] = await createPeople(2)
    expectTrackSuccess(await change(segment, "add", [a?.id, b?.id]))
    expect((await tenant.segment(segment)).size).toBe(2)
    expect((await tenant.person({ id: a?.id ?? "" })).segments).toEqual([segment])
    expectTrackSuccess(await change(segment, "remove", [a?.id]))
    expect(await tenant.segmentMembers(segment)).toEqual([b?.id])
  })

  it("track-api §4.3 rule 2: a segment call reads ids as the kind of identifier that id_type names, and ignores ids that match no person", async () => {
    const segment = await tenant.createSegment()
    const [a, b, c] = await createPeople(3)
    const { svc_id } = await tenant.person({ id: c?.id ?? "" })
    await change(segment, "add", [a?.id, b?.email, svc_id])
    expect(await tenant.segmentMembers(segment)).toEqual([a?.id])
    await change(segment, "add", [b?.email.toUpperCase(), a?.id], "?id_type=email")
    await change(segment, "add", [svc_id, b?.id], "?id_type=cio_id")
    expect(await tenant.segmentMembers(segment)).toEqual([a?.id, b?.id, c?.id].toSorted())
    await change(segment, "remove", [svc_id], "?id_type=svc_id")
    await change(segment, "remove", [b?.email], "?id_type=email")
    await change(segment, "remove", [a?.id], "?id_type=id")
    expect(await tenant.segmentMembers(segment)).toEqual([])
  })

  it("contract §12 ignored ids: the log entry of a segment call counts the ids that match no person", async () => {
    const segment = await tenant.createSegment()
    const [a, b] = await createPeople(2)
    const answer = await change(segment, "add", [a?.id, b?.id, fresh("nobody"), fresh("nobody")])
    expect(await tenant.operation(answer)).toMatchObject({
      kind: "segment_add",
      outcome: "applied",
      data: { segment_id: segment, ids_applied: 2, ids_ignored: 2 },
    })
    expect(await tenant.people({ q: "nobody" })).toEqual([])
  })

  it("contract §12 removal: removing people from a segment ignores people who have no id", async () => {
    const [segment, email] = [await tenant.createSegment(), freshEmail()]
    await tenant.identify(email)
    await change(segment, "add", [email], "?id_type=email")
    const answer = await change(segment, "remove", [email], "?id_type=email")
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({
      kind: "segment_remove",
      data: { ids_applied: 0, ids_ignored: 1 },
    })
    expect(await tenant.segmentMembers(segment)).toEqual([email])
  })

  it("track-api §7 rule 6: a call for a segment that does not exist gets a 404 in plain text", async () => {
    const gone = await tenant.createSegment()
    // Each workspace counts its own segments from 1, so both workspaces may have a segment with this id.
    const other = await Tenant.create()
    let foreign = await other.createSegment()
    while (foreign <= gone) foreign = await other.createSegment()
    await tenant.call("DELETE", tenant.pathOf(`/segments/${gone}`))
    const none = [
      "",
      "999999",
      "0",
      "-1",
      "1.5",
      "abc",
      "1e3",
      "99999999999999999999",
      "__proto__",
      foreign,
      gone,
    ]
    for (const segment of none) {
      for (const action of ["add", "remove"] as const) {
        const answer = await change(segment, action, ["x"])
        expect(answer.status, String(segment)).toBe(404)
        expect(answer.headers["content-type"]).toMatch(/^text\/plain/)
        expect(answer.text).toMatch(/not found/i)
        expect(await tenant.operation(answer)).toMatchObject({ outcome: "rejected" })
      }
    }
  })

  it("track-api §8 ids: a segment call accepts 1 to 1000 ids, and answers 400 to any other number of ids", async () => {
    const segment = await tenant.createSegment()
    const [a] = await createPeople(1)
    const thousand = [a?.id, ...Array.from({ length: 999 }, (_, n) => `x${n}`)]
    expectTrackSuccess(await change(segment, "add", thousand))
    expect(await tenant.segmentMembers(segment)).toEqual([a?.id])
    for (const ids of [[...thousand, "y"], [], undefined, null, "x", {}, [{}], [["x"]], [true]]) {
      const answer = await change(segment, "remove", ids)
      expect(answer.status, JSON.stringify(ids)?.slice(0, 20)).toBe(400)
      expectSingleFault(answer)
    }
    expect(await tenant.segmentMembers(segment)).toEqual([a?.id])
  })

  it("contract §12 id_type: a segment call with an unknown id_type gets a 400", async () => {
    const segment = await tenant.createSegment()
    for (const kind of ["phone", "ID", "anonymous_id", "__proto__"]) {
      const answer = await change(segment, "add", ["x"], `?id_type=${kind}`)
      expect(answer.status).toBe(400)
      expectSingleFault(answer)
    }
    expectTrackSuccess(await change(segment, "add", ["x"], "?id_type="))
  })

  it("contract §12 numbers: a segment call accepts ids that are JSON numbers", async () => {
    const [segment, n] = [await tenant.createSegment(), Math.floor(Math.random() * 1e12)]
    await tenant.identify(String(n))
    expectTrackSuccess(await change(segment, "add", [n]))
    expect(await tenant.segmentMembers(segment)).toEqual([String(n)])
  })

  it.each([["id"], ["email"], ["id", "email"]])(
    "contract §12 workspaces: segment calls work in a workspace that identifies people by id, by email or by both (%s %s)",
    async (...identifiers) => {
      const own = await Tenant.create({ identifiers })
      const segment = await own.createSegment()
      const kind = identifiers[0] ?? "id"
      const name = kind === "id" ? fresh("p") : freshEmail()
      await own.identify(name, kind === "id" ? {} : { id: "attribute" })
      expectTrackSuccess(await change(segment, "add", [name], `?id_type=${kind}`, own))
      expect((await own.segment(segment)).size).toBe(1)
    },
  )

  it("deleting a person removes them from the segment, and deleting the segment does not delete its people", async () => {
    const segment = await tenant.createSegment()
    const [a, b] = await createPeople(2)
    await change(segment, "add", [a?.id, b?.id])
    await tenant.track("DELETE", customerPath(a?.id ?? ""))
    expect([(await tenant.segment(segment)).size, await tenant.segmentMembers(segment)]).toEqual([1, [b?.id]])
    expect((await tenant.call("DELETE", tenant.pathOf(`/segments/${segment}`))).status).toBe(204)
    expect((await tenant.person({ id: b?.id ?? "" })).segments).toEqual([])
  })
})
