import { describe, expect, it } from "vitest"
import { expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

/** Sends a track call, expects a success, and returns the activity entry of the call. */
const sendTrack = async (source: PipelinesSource, payload: object) => {
  const answer = await source.post("track", payload)
  expectPipelinesSuccess(answer)
  return source.operation(answer)
}

const withPerson = async (traits: object = {}): Promise<PipelinesSource> => {
  const source = await PipelinesSource.create()
  expectPipelinesSuccess(await source.post("identify", { userId: "ada", traits }))
  return source
}

const expectNoEvents = async (source: PipelinesSource): Promise<void> => {
  expect(await source.activity({ kind: "event" })).toEqual([])
}

const device = { token: "tok", type: "ios" }

describe("pipelines-api §4 rule 3: a semantic event performs the matching Track operation and is not stored as an event", () => {
  it("pipelines-api §2.4 device: the event Device Created or Updated adds a device, updates a device and moves a device to another person", async () => {
    const source = await withPerson()
    const event = "Device Created or Updated"
    const added = await sendTrack(source, {
      userId: "ada",
      event,
      timestamp: "2024-05-06T07:08:09.000Z",
      context: { device },
      properties: { os: "17" },
    })
    expect(added).toMatchObject({ kind: "add_device", outcome: "applied", rule: "track-api §2.4" })
    const timestamp = "2025-05-06T07:08:09.000Z"
    await sendTrack(source, { userId: "ada", event, timestamp, properties: { device, model: "m" } })
    // An older call that arrives later must not set last_used to an earlier time.
    await sendTrack(source, {
      userId: "ada",
      event,
      timestamp: "2023-05-06T07:08:09.000Z",
      properties: { device },
    })
    expect((await source.person({ id: "ada" })).devices).toMatchObject([
      { token: "tok", platform: "ios", last_used: timestamp, attributes: { os: "17", model: "m" } },
    ])
    await sendTrack(source, { userId: "eve", event, context: { device } })
    expect((await source.person({ id: "eve" })).devices).toMatchObject([{ token: "tok" }])
    expect((await source.person({ id: "ada" })).devices).toEqual([])
    await expectNoEvents(source)
  })

  it("a device added for a visitor moves to the person when the visitor is identified", async () => {
    const source = await PipelinesSource.create()
    await sendTrack(source, { anonymousId: "v", event: "Device Created or Updated", context: { device } })
    expect(await source.people({})).toEqual([])
    await source.post("identify", { userId: "ada", anonymousId: "v" })
    expect((await source.person({ id: "ada" })).devices).toMatchObject([{ token: "tok", platform: "ios" }])
  })

  it("the Pipelines event Device Deleted removes the device", async () => {
    const source = await withPerson()
    await sendTrack(source, { userId: "ada", event: "Device Created or Updated", context: { device } })
    const deleted = await sendTrack(source, {
      userId: "ada",
      event: "Device Deleted",
      context: { device: { token: "tok" } },
    })
    expect(deleted).toMatchObject({ kind: "delete_device", outcome: "applied" })
    expect((await source.person({ id: "ada" })).devices).toEqual([])
    await expectNoEvents(source)
  })

  it("pipelines-api §3 person exists: User Deleted deletes the person, and a later identify creates a new person", async () => {
    const source = await withPerson({ plan: "pro" })
    const { svc_id } = await source.person({ id: "ada" })
    await sendTrack(source, { userId: "ada", event: "Bought" })
    expect(await sendTrack(source, { userId: "ada", event: "User Deleted" })).toMatchObject({
      kind: "delete",
    })
    expect(await source.people({ id: "ada" })).toEqual([])
    expect(await source.activity({ name: "Bought" })).toEqual([])
    await source.post("identify", { userId: "ada" })
    const after = await source.person({ id: "ada" })
    expect(after.svc_id).not.toBe(svc_id)
    expect(after.attributes).toEqual({})
  })

  it("User Suppressed deletes the person, and later calls are ignored until User Unsuppressed", async () => {
    const source = await withPerson({ email: "ada@example.com" })
    expect(await sendTrack(source, { userId: "ada", event: "User Suppressed" })).toMatchObject({
      kind: "suppress",
    })
    expect(await source.people({})).toEqual([])
    expect([
      await source.isSuppressed({ id: "ada" }),
      await source.isSuppressed({ email: "ada@example.com" }),
    ]).toEqual([true, true])
    expect(await sendTrack(source, { userId: "ada", event: "Bought" })).toMatchObject({ outcome: "ignored" })
    await source.post("identify", { userId: "ada@example.com" })
    expect(await source.people({})).toEqual([])
    expect(await sendTrack(source, { userId: "ada@example.com", event: "User Unsuppressed" })).toMatchObject({
      kind: "unsuppress",
      outcome: "applied",
    })
    await source.post("identify", { userId: "ada" })
    expect(await source.people({ id: "ada" })).toHaveLength(1)
  })

  it("Relationship Deleted removes the relationship, and Object Deleted and Group Deleted delete the object", async () => {
    const source = await PipelinesSource.create()
    const group = (groupId: string) =>
      source.post("group", { userId: "ada", groupId, traits: { objectTypeId: "2" } })
    for (const groupId of ["a", "b", "c"]) expectPipelinesSuccess(await group(groupId))
    const properties = { objectId: "a", object_type_id: 2 }
    expect(
      await sendTrack(source, { userId: "ada", event: "Relationship Deleted", properties }),
    ).toMatchObject({
      kind: "delete_relationships",
      outcome: "applied",
    })
    const related = async () =>
      (await source.person({ id: "ada" })).relationships.map(({ object_id }) => object_id)
    expect((await related()).toSorted()).toEqual(["b", "c"])
    expect(await source.object("2", "a")).toMatchObject({ people_total: 0 })
    const deleted = {
      anonymousId: "v",
      event: "Object Deleted",
      properties: { object_id: "b", objectTypeId: "2" },
    }
    expect(await sendTrack(source, deleted)).toMatchObject({ kind: "object_delete", outcome: "applied" })
    await sendTrack(source, {
      userId: "ada",
      event: "Group Deleted",
      groupId: "c",
      properties: { objectTypeId: 2 },
    })
    expect(await related()).toEqual([])
    expect((await source.objects()).map(({ object_id }) => object_id)).toEqual(["a"])
    await expectNoEvents(source)
  })

  it("Report Delivery Event adds a metric to the delivery and creates no person", async () => {
    const source = await PipelinesSource.create()
    const report = (metric: string) =>
      sendTrack(source, {
        anonymousId: "D",
        event: "Report Delivery Event",
        properties: { recipient: "tok", metric, deliveryId: "D" },
      })
    expect(await report("delivered")).toMatchObject({ kind: "delivery_metric", outcome: "applied" })
    await report("opened")
    await report("opened")
    expect(await source.delivery("D")).toMatchObject({
      metrics: { delivered: { count: 1 }, opened: { count: 2 } },
    })
    expect(await source.people({})).toEqual([])
    await expectNoEvents(source)
  })

  it("contract §13 Report Content Event: the call is stored as the event that its actionType names, such as viewed_content", async () => {
    const source = await withPerson()
    const properties = { actionType: "viewed_content", contentId: 7 }
    const entry = await sendTrack(source, { userId: "ada", event: "Report Content Event", properties })
    expect(entry).toMatchObject({
      kind: "event",
      name: "viewed_content",
      data: properties,
      outcome: "applied",
    })
  })

  it("contract §13 semantic events: a semantic event with a repeated messageId has no effect", async () => {
    const source = await withPerson()
    const event = { userId: "ada", event: "User Deleted", messageId: "m" }
    await sendTrack(source, event)
    await source.post("identify", { userId: "ada", messageId: "n" })
    expect(await sendTrack(source, event)).toMatchObject({ kind: "delete", outcome: "duplicate" })
    expect(await source.people({ id: "ada" })).toHaveLength(1)
  })

  it("a semantic event without a required field is rejected, and its log entry names the field", async () => {
    const source = await withPerson()
    for (const [event, field] of [
      ["Device Created or Updated", "token"],
      ["Device Deleted", "token"],
      ["Relationship Deleted", "objectId"],
      ["Object Deleted", "objectId"],
      ["Report Delivery Event", "deliveryId"],
      ["Report Content Event", "actionType"],
    ] as const) {
      const entry = await sendTrack(source, { userId: "ada", event })
      expect(entry.outcome).toBe("rejected")
      expect(entry.reason).toContain(field)
    }
  })
})

describe("contract §13 events of an app", () => {
  it("Application Installed and Application Opened add the device, Application Uninstalled removes the device, and all three are stored as events", async () => {
    const source = await withPerson()
    const app = (event: string) => sendTrack(source, { userId: "ada", event, context: { device } })
    expect(await app("Application Installed")).toMatchObject({ kind: "event", outcome: "applied" })
    expect((await source.person({ id: "ada" })).devices).toMatchObject([{ token: "tok", platform: "ios" }])
    await app("Application Uninstalled")
    expect((await source.person({ id: "ada" })).devices).toEqual([])
    await app("Application Opened")
    expect((await source.person({ id: "ada" })).devices).toHaveLength(1)
    expect(await source.activity({ kind: "event" })).toHaveLength(3)
  })
})

describe("contract §13: alias and group", () => {
  it("an alias with an anonymous id as previousId attaches that visitor to the person", async () => {
    const source = await PipelinesSource.create()
    await sendTrack(source, { anonymousId: "v", event: "Looked" })
    expectPipelinesSuccess(await source.post("alias", { userId: "ada", previousId: "v" }))
    const person = await source.person({ id: "ada" })
    expect(person.anonymous_ids).toEqual(["v"])
    expect(await source.event("Looked")).toMatchObject({
      subject: { svc_id: person.svc_id },
      outcome: "applied",
    })
  })

  it("an alias with an anonymousId instead of a userId attaches that visitor to the person of previousId", async () => {
    const source = await withPerson()
    await sendTrack(source, { anonymousId: "v", event: "Looked" })
    expectPipelinesSuccess(await source.post("alias", { anonymousId: "v", previousId: "ada" }))
    expect((await source.person({ id: "ada" })).anonymous_ids).toEqual(["v"])
    expect(await source.event("Looked")).toMatchObject({ subject: { id: "ada" } })
  })

  it("an alias with an unknown previousId is dropped and creates no person", async () => {
    const source = await withPerson()
    for (const call of [
      { userId: "ada", previousId: "nobody" },
      { anonymousId: "v", previousId: "nobody" },
    ]) {
      const answer = await source.post("alias", call)
      expectPipelinesSuccess(answer)
      expect(await source.operation(answer)).toMatchObject({ outcome: "dropped" })
    }
    expect(await source.people({})).toMatchObject([{ id: "ada", anonymous_ids: [] }])
  })

  it("a visitor's group relationship moves to the identified person, and an alias of a person with themselves is dropped", async () => {
    const source = await PipelinesSource.create()
    const traits = { name: "Acme", relationshipAttributes: { role: "ceo" } }
    expectPipelinesSuccess(await source.post("group", { anonymousId: "v", groupId: "acme", traits }))
    expect(await source.people({})).toEqual([])
    await source.post("identify", { userId: "ada", anonymousId: "v" })
    expect((await source.person({ id: "ada" })).relationships).toEqual([
      { object_type_id: "1", object_id: "acme", attributes: { role: "ceo" } },
    ])
    const same = await source.post("alias", { userId: "ada", previousId: "ada" })
    expect(await source.operation(same)).toMatchObject({ kind: "merge", outcome: "dropped" })
  })

  it("an identify with an objectId in its traits relates the person to that object", async () => {
    const source = await PipelinesSource.create()
    const traits = { plan: "pro", objectId: "acme", objectTypeId: 2, relationship_traits: { role: "ceo" } }
    expectPipelinesSuccess(await source.post("identify", { userId: "ada", traits }))
    expect(await source.person({ id: "ada" })).toMatchObject({
      attributes: { plan: "pro" },
      relationships: [{ object_type_id: "2", object_id: "acme", attributes: { role: "ceo" } }],
    })
    expect(await source.object("2", "acme")).toMatchObject({ attributes: {} })
  })
})

describe("a messageId", () => {
  it("contract §13 messageId: a repeated messageId makes a call of any kind a duplicate", async () => {
    const source = await withPerson()
    await sendTrack(source, { anonymousId: "v", event: "Looked" })
    const calls: ReadonlyArray<readonly [string, object]> = [
      ["identify", { userId: "ada", traits: { n: 1 } }],
      ["track", { userId: "ada", event: "e" }],
      ["page", { userId: "ada", name: "p" }],
      ["screen", { userId: "ada", name: "s" }],
      ["group", { userId: "ada", groupId: "g", traits: { n: 1 } }],
      ["alias", { userId: "ada", previousId: "v" }],
      ["track", { userId: "ada", event: "Device Created or Updated", context: { device } }],
      [
        "track",
        { userId: "ada", event: "Report Delivery Event", properties: { deliveryId: "D", metric: "opened" } },
      ],
    ]
    for (const [n, [path, call]] of calls.entries()) {
      const outcomes: Array<string> = []
      for (const again of [path, path, "track"]) {
        const answer = await source.post(again, {
          ...call,
          messageId: `m${n}`,
          ...(again === path ? {} : { event: "x" }),
        })
        outcomes.push((await source.operation(answer)).outcome)
      }
      expect(outcomes.slice(1), path).toEqual(["duplicate", "duplicate"])
      expect(["applied", "created"], path).toContain(outcomes[0])
    }
    expect(await source.delivery("D")).toMatchObject({ metrics: { opened: { count: 1 } } })
  })
})
