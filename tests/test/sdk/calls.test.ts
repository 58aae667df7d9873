import { Inlet, isStored } from "@inlethq/sdk"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { logOf, sourceWithAda, startClient } from "../../src/sdkClient.ts"

describe("calls of the SDK", () => {
  it("the call of each method of the SDK is applied, and recorded as an operation of the matching kind", async () => {
    const { inlet, source } = await startClient()
    const email = freshEmail()
    inlet.identify({ userId: "grace", traits: { email, plan: "pro" } })
    inlet.track({ userId: "grace", event: "signed_up", properties: { source: "web" } })
    inlet.page({ userId: "grace", name: "home" })
    inlet.screen({ userId: "grace", name: "start" })
    inlet.group({ userId: "grace", groupId: "acme", traits: { name: "Acme" } })
    inlet.addDevice({ userId: "grace", device: { token: "phone", type: "ios" } })
    inlet.addDevice({ userId: "grace", device: { token: "tablet", type: "ios" } })
    inlet.deleteDevice({ userId: "grace", device: { token: "tablet" } })
    inlet.identify({ userId: "twin", traits: { city: "Bonn" } })
    inlet.alias({ userId: "grace", previousId: "twin" })
    inlet.identify({ userId: "bob" })
    inlet.deletePerson({ userId: "bob" })
    inlet.identify({ userId: "eve" })
    inlet.suppressPerson({ userId: "eve" })
    inlet.unsuppressPerson({ userId: "eve" })
    await inlet.flush()

    expect(await source.person({ id: "grace" })).toMatchObject({
      email,
      attributes: { plan: "pro", city: "Bonn" },
      devices: [{ token: "phone", platform: "ios" }],
      relationships: [{ object_type_id: "1", object_id: "acme" }],
    })
    expect(await source.people({ id: "bob" })).toEqual([])
    expect(await source.isSuppressed({ id: "eve" })).toBe(false)
    const log = await logOf(source)
    expect(log.map(({ kind }) => kind)).toEqual([
      "identify",
      "event",
      "page",
      "screen",
      "object_identify",
      "add_device",
      "add_device",
      "delete_device",
      "identify",
      "merge",
      "identify",
      "delete",
      "identify",
      "suppress",
      "unsuppress",
    ])
  })

  it("the outcome of a call has the reason, the rule and the operation id of its log entry", async () => {
    const { inlet, source } = await startClient()
    const email = freshEmail()
    const sendings = [
      inlet.identify({ userId: "grace", traits: { email } }),
      inlet.identify({ userId: "bob", traits: { email } }),
      inlet.track({ userId: "svc_unknown", event: "seen" }),
      inlet.track({ anonymousId: "visitor", event: "seen" }),
      inlet.track({ userId: "grace", event: "" }),
    ]
    await inlet.flush()
    const outcomes = await Promise.all(sendings.map((sending) => sending.outcome()))
    const log = await logOf(source)
    expect(outcomes).toEqual(
      log.map(({ operation_id, outcome, reason, reasons, rule }, at) => ({
        messageId: sendings[at]?.messageId,
        status: outcome,
        code: reasons[0]?.code ?? null,
        reason,
        rule,
        operationId: operation_id,
        attempts: 1,
      })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      "created",
      "partial",
      "dropped",
      "pending",
      "rejected",
    ])
    expect(outcomes.map(isStored)).toEqual([true, true, false, true, false])
  })

  it("a call that a program makes twice with the same messageId is applied once", async () => {
    const { inlet, source } = await startClient()
    const call = { userId: "ada", event: "paid", messageId: fresh("payment"), timestamp: new Date(1e12) }
    const outcomes = [await inlet.track(call).outcome(), await inlet.track(call).outcome()]
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "duplicate"])
    expect(await logOf(source)).toMatchObject([
      { id: call.messageId, original_timestamp: "2001-09-09T01:46:40.000Z" },
      { outcome: "duplicate" },
    ])
  })

  it("a client with the option fetch sends its requests with this function", async () => {
    const paths: Array<string> = []
    const { inlet } = await startClient({
      fetch: (address, init) => {
        paths.push(new URL(String(address)).pathname)
        return fetch(address, init)
      },
    })
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ status: "applied" })
    expect(paths).toEqual(["/v1/batch"])
  })

  it("a call that cannot be sent gets the outcome rejected with the reason", async () => {
    const { inlet, proxy } = await startClient()
    const outcomes = [
      await inlet.track({ userId: "ada", event: "e", properties: { big: "x".repeat(32 * 1024) } }).outcome(),
      await inlet.track({ userId: "ada", event: "e", properties: { count: 1n } }).outcome(),
    ]
    expect(outcomes).toMatchObject([
      {
        status: "rejected",
        reason: expect.stringMatching(/^the call has \d+ bytes: expected at most 32768$/),
        attempts: 0,
      },
      { status: "rejected", reason: expect.stringContaining("BigInt"), attempts: 0 },
    ])
    expect(proxy.requests).toEqual([])
  })

  it("properties that do not fit the schema of their event are rejected before they are sent", async () => {
    const source = await sourceWithAda()
    const signedUp = Schema.Struct({ plan: Schema.Literals(["free", "pro"]) })
    await using inlet = new Inlet({
      url: source.inlet.url,
      writeKey: source.writeKey,
      events: { signed_up: Schema.toStandardSchemaV1(signedUp) },
      onWarning: () => {},
    })
    const valid = inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "pro" } })
    const input: unknown = JSON.parse('{"plan":"gold"}')
    // @ts-expect-error The type of the properties is unknown.
    const invalid = inlet.track({ userId: "ada", event: "signed_up", properties: input })
    expect(await valid.outcome()).toMatchObject({ status: "applied" })
    expect(await invalid.outcome()).toMatchObject({
      status: "rejected",
      reason: expect.stringContaining("properties.plan: "),
      attempts: 0,
    })
    expect(await logOf(source)).toHaveLength(1)
  })
})
