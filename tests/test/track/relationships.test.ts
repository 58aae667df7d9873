import { describe, expect, it } from "vitest"
import { fresh } from "../../src/fresh.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const companies = (object_id: string) => ({ object_type_id: "1", object_id })

const call = (object_id: string, action: string, svc_relationships: ReadonlyArray<object>) =>
  tenant.entity({ type: "object", identifiers: companies(object_id), action, svc_relationships })

/** Returns the newest log entry of the person with this id. */
const newestOf = async (id: string) => {
  const { svc_id } = await tenant.person({ id })
  return (await tenant.activity({}, svc_id))[0]
}

describe("a relationship made from the object's side", () => {
  it("contract §9 relationship activity: a relationship added by an object item appears in the activity of the person and of the object", async () => {
    for (const action of ["identify", "add_relationships"]) {
      const [object_id, id, other] = [fresh("o"), fresh("p"), fresh("p")]
      await tenant.identify(id)
      const answer = await call(object_id, action, [
        { identifiers: { id }, relationship_attributes: { role: "boss" } },
        { identifiers: { id: other } },
      ])
      const { svc_id } = await tenant.person({ id })
      const entry = await newestOf(id)
      expect(entry, action).toEqual(await tenant.operation(answer))
      expect(await newestOf(other), action).toEqual(entry)
      const path = `people.${svc_id}.relationships.1.${object_id}`
      expect(entry, action).toMatchObject({
        subject: { ...companies(object_id), svc_id: null, id: null },
        data: {
          relationships: [
            { svc_id, identifiers: { id }, relationship_attributes: { role: "boss" } },
            { identifiers: { id: other }, relationship_attributes: {} },
          ],
        },
        changes: expect.arrayContaining([
          { path, from: null, to: {} },
          { path: `${path}.role`, from: null, to: "boss" },
        ]),
      })
      await call(object_id, "delete_relationships", [{ identifiers: { id } }])
      expect(await newestOf(id), action).toMatchObject({
        kind: "delete_relationships",
        changes: [{ path, from: { role: "boss" }, to: null }],
      })
      await tenant.track("DELETE", `/api/v1/customers/${id}`)
      const left = await tenant.operation(answer)
      expect(left.data).toMatchObject({ relationships: [{ identifiers: { id: other } }] })
      expect(JSON.stringify(left)).not.toContain(id)
    }
  })

  it("when a visitor is identified, the log entry of the visitor's relationship appears in the person's activity", async () => {
    const [object_id, id, visitor] = [fresh("o"), fresh("p"), fresh("v")]
    const answer = await call(object_id, "identify_anonymous", [
      { identifiers: { anonymous_id: visitor }, relationship_attributes: { seen: true } },
    ])
    await tenant.identify(id, { anonymous_id: visitor })
    const { svc_id } = await tenant.person({ id })
    const entry = await tenant.operation(answer)
    expect((await tenant.activity({}, svc_id)).slice(1)).toEqual([entry])
    expect(entry).toMatchObject({
      changes: [
        { path: `people.${visitor}.relationships.1.${object_id}`, from: null, to: {} },
        { path: `people.${visitor}.relationships.1.${object_id}.seen`, from: null, to: true },
      ],
    })
  })

  it("the relationship of a Pipelines group call appears in the person's activity", async () => {
    const source = await PipelinesSource.create()
    const [groupId, userId] = [fresh("g"), fresh("u")]
    const traits = { plan: "pro", relationshipAttributes: { role: "boss" } }
    await source.post("group", { userId, groupId, traits })
    const { svc_id } = await source.person({ id: userId })
    const [entry] = await source.activity({}, svc_id)
    expect(entry).toMatchObject({
      kind: "object_identify",
      data: { relationships: [{ svc_id, identifiers: { id: userId } }] },
      changes: expect.arrayContaining([
        { path: `people.${svc_id}.relationships.1.${groupId}.role`, from: null, to: "boss" },
      ]),
    })
  })
})
