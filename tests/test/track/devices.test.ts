import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectFaultList } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const add = (id: string, device: unknown, more: object = {}) =>
  tenant.track("PUT", `${customerPath(id)}/devices`, { device, ...more })
const v2 = (id: string, device: unknown, action = "add_device") =>
  tenant.entity({ type: "person", identifiers: { id }, action, device })
const devicesOf = async (id: string) => (await tenant.person({ id })).devices

const reserved = {
  device_os: "14",
  device_model: "x",
  app_version: "1",
  svc_sdk_version: "2",
  device_locale: "de",
  push_enabled: "true",
}

describe("a device", () => {
  it("track-api §2.4 device identifier: the token of a device is in `id` in v1 and in `token` in v2, and a person can have several devices", async () => {
    const [id, first, second] = [fresh("p"), fresh("t"), fresh("t")]
    expectTrackSuccess(await add(id, { id: first, platform: "ios" }))
    expectTrackSuccess(await v2(id, { token: second, platform: "android" }))
    expect((await devicesOf(id)).map(({ platform, token }) => [token, platform]).toSorted()).toEqual(
      [
        [first, "ios"],
        [second, "android"],
      ].toSorted(),
    )
  })

  it("track-api §2.4 last_used: a device stores last_used from Unix seconds, and an update without last_used does not change the stored last_used", async () => {
    const [id, token] = [fresh("p"), fresh("t")]
    await add(id, { id: token, platform: "ios", last_used: 1_700_000_000 })
    expect((await devicesOf(id))[0]?.last_used).toBe("2023-11-14T22:13:20.000Z")
    await add(id, { id: token, platform: "ios" })
    expect((await devicesOf(id))[0]?.last_used).toBe("2023-11-14T22:13:20.000Z")
  })

  it.each(["1700000000", 1_700_000_000.9, "2023-11-14T22:13:20Z", "2023-11-14T22:13:20.000Z"])(
    "contract §10 last_used: accepts the time format %j",
    async (last_used) => {
      const id = fresh("p")
      expectTrackSuccess(await add(id, { id: fresh("t"), platform: "ios", last_used }))
      expect((await devicesOf(id))[0]?.last_used).toMatch(/^2023-11-14T22:13:20/)
    },
  )

  it("contract §6 unreadable times: a device call leaves out a last_used that is not a time, and the rest of the call is applied", async () => {
    const [id, token] = [fresh("p"), fresh("t")]
    const answer = await add(id, { id: token, platform: "ios", last_used: "yesterday" })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "partial" })
    expect(await devicesOf(id)).toEqual([{ token, platform: "ios", last_used: null, attributes: {} }])
  })

  it("track-api §2.4 platform: a device may have any text as platform, and a new device without platform gets a 400", async () => {
    const [id, token] = [fresh("p"), fresh("t")]
    expectTrackSuccess(await v2(id, { token, platform: "toaster" }))
    expect((await devicesOf(id))[0]?.platform).toBe("toaster")
    const v1 = await add(id, { id: token })
    expect(v1.status).toBe(400)
    expectFaultList(v1, "device.platform must be present")
    const missing = await v2(id, { token })
    expect(missing.status).toBe(400)
    expectEntityFaults(missing, { reason: "required", field: "device.platform" })
  })

  it("track-api §2.4 attributes: a device stores documented and custom attributes, and _last_status in v2", async () => {
    const [id, first, second] = [fresh("p"), fresh("t"), fresh("t")]
    await add(id, { id: first, platform: "ios", attributes: { ...reserved, custom: "1" } })
    await v2(id, { token: second, platform: "ios", attributes: { ...reserved, _last_status: "sent" } })
    const found = new Map((await devicesOf(id)).map((device) => [device.token, device.attributes]))
    expect(found.get(first)).toEqual({ ...reserved, custom: "1" })
    expect(found.get(second)).toEqual({ ...reserved, _last_status: "sent" })
  })

  it("contract §10 flat keys: other keys inside device become attributes of the device, and a key with the prefix cio_ is stored with the prefix svc_", async () => {
    const [id, token] = [fresh("p"), fresh("t")]
    await add(id, {
      id: token,
      platform: "ios",
      app_version: "1",
      cio_sdk_version: "2",
      attributes: { a: 1 },
    })
    expect((await devicesOf(id))[0]?.attributes).toEqual({ app_version: "1", svc_sdk_version: "2", a: 1 })
    await v2(id, { token, platform: "ios", flat: true, attributes: null })
    expect((await devicesOf(id))[0]?.attributes).toMatchObject({ flat: true, a: 1 })
  })

  it("contract §10 device update: an update merges attributes into the device, and null removes an attribute", async () => {
    const [id, token] = [fresh("p"), fresh("t")]
    await add(id, { id: token, platform: "ios", attributes: { a: 1, b: 2 } })
    await add(id, { id: token, platform: "android", attributes: { b: null, c: 3 } })
    expect(await devicesOf(id)).toMatchObject([{ token, platform: "android", attributes: { a: 1, c: 3 } }])
    expect((await devicesOf(id))[0]?.attributes).toEqual({ a: 1, c: 3 })
  })

  it("contract §10 token moves: adding a device token to another person moves the device to that person", async () => {
    const [a, b, token] = [fresh("p"), fresh("p"), fresh("t")]
    await add(a, { id: token, platform: "ios", attributes: { of: "a" } })
    await add(b, { id: token, platform: "ios", attributes: { also: "b" } })
    expect(await devicesOf(a)).toEqual([])
    expect((await devicesOf(b)).map((device) => device.token)).toEqual([token])
    await v2(a, { token }, "delete_device")
    expect(await devicesOf(b)).toHaveLength(1)
  })

  it.each(["", "bounced", "sent", "suppressed"])(
    "contract §10 _last_status: accepts the value %j",
    async (status) => {
      const id = fresh("p")
      const device = { token: fresh("t"), platform: "ios", attributes: { _last_status: status } }
      expectTrackSuccess(await v2(id, device))
    },
  )

  it("a v2 device call with an unknown _last_status gets a 400", async () => {
    const device = { token: fresh("t"), platform: "ios", attributes: { _last_status: "lost" } }
    const answer = await v2(fresh("p"), device)
    expect(answer.status).toBe(400)
    expectEntityFaults(answer, { reason: "invalid", field: "device.attributes._last_status" })
  })

  it("contract §6 unknown people: adding a device creates an unknown person, and deleting a device of an unknown person is dropped", async () => {
    const [id, nobody] = [fresh("p"), fresh("p")]
    const answer = await add(id, { id: fresh("t"), platform: "ios" })
    expect(await tenant.operation(answer)).toMatchObject({ kind: "add_device", outcome: "created" })
    const dropped = await tenant.track("DELETE", `${customerPath(nobody)}/devices/t`)
    expectTrackSuccess(dropped)
    expect(await tenant.operation(dropped)).toMatchObject({ kind: "delete_device", outcome: "dropped" })
    expect(await tenant.people({ id: nobody })).toEqual([])
  })

  it("a deleted device that is added again has only the new attributes", async () => {
    const [id, token] = [fresh("p"), fresh("a/b c")]
    await add(id, { id: token, platform: "ios", attributes: { a: 1 } })
    await tenant.track("DELETE", `${customerPath(id)}/devices/${encodeURIComponent(token)}`)
    expect(await devicesOf(id)).toEqual([])
    await add(id, { id: token, platform: "ios", attributes: { b: 2 } })
    expect(await devicesOf(id)).toMatchObject([{ token, attributes: { b: 2 } }])
    expect((await devicesOf(id))[0]?.attributes).toEqual({ b: 2 })
  })

  it("a visitor's device moves to the person when the visitor is identified", async () => {
    const [visitor, id, token] = [fresh("v"), fresh("p"), fresh("t")]
    const identifiers = { anonymous_id: visitor }
    await tenant.entity({
      type: "person",
      identifiers,
      action: "add_device",
      device: { token, platform: "ios" },
    })
    await tenant.identify(id, { anonymous_id: visitor })
    expect((await devicesOf(id)).map((device) => device.token)).toEqual([token])
  })

  it("a device call with an invalid device gets a 400 in the error format of its API version, and the 400 names every fault", async () => {
    for (const device of [
      undefined,
      null,
      "t",
      [],
      {},
      { platform: "ios" },
      { id: {}, token: {}, platform: "ios" },
    ]) {
      const v1 = await add(fresh("p"), device)
      expect(v1.status, JSON.stringify(device)).toBe(400)
      expectFaultList(v1)
      expect((await v2(fresh("p"), device)).status).toBe(400)
    }
    const answer = await v2(fresh("p"), {})
    expectEntityFaults(answer, { field: "device.token" }, { field: "device.platform" })
  })
})
