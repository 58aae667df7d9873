import { describe, expect, it } from "vitest"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)

const operationOf = async (answer: Parameters<Tenant["operation"]>[0]) => {
  expect(answer.status).toBe(200)
  return tenant.operation(answer)
}

describe("refused values", () => {
  it("contract §6 taken identifiers: the email of somebody else is kept with its owner, on every protocol", async () => {
    const [ada, email] = [fresh("ada"), freshEmail()]
    await tenant.identify(ada, { email })
    const { svc_id } = await tenant.person({ id: ada })
    const attributes = { email, plan: "pro" }
    const answers = [
      await tenant.identify(fresh("bob"), attributes),
      await tenant.entity({
        type: "person",
        action: "identify",
        identifiers: { id: fresh("bob") },
        attributes,
      }),
      await source.post("identify", { userId: fresh("bob"), traits: attributes }),
    ]
    for (const answer of answers) {
      expect(await operationOf(answer)).toMatchObject({
        outcome: "partial",
        rule: "contract §6 taken identifiers",
        refused: [
          {
            path: "email",
            value: email,
            reason: "email belongs to another person",
            rule: "contract §6 taken identifiers",
            other: { svc_id },
          },
        ],
      })
    }
  })

  it("contract §16 refused values: values that decoding leaves out are kept as sent", async () => {
    const long = "x".repeat(1001)
    const [ada, bob] = [freshEmail(), freshEmail()]
    await tenant.identify(ada)
    const sent = [
      await tenant.identify(fresh("p"), { email: "no email", created_at: "yesterday" }),
      await tenant.entity({
        type: "person",
        action: "identify",
        identifiers: { id: fresh("p"), email: bob },
        attributes: { email: ada },
      }),
      await source.post("identify", { userId: fresh("p"), traits: { plan: "pro", long } }),
      await source.post("track", { userId: fresh("p"), event: "bought", timestamp: "noon" }),
    ]
    const refused = await Promise.all(sent.map(async (answer) => (await operationOf(answer)).refused))
    const { svc_id } = await tenant.person({ email: ada })
    expect(refused).toMatchObject([
      [
        { path: "email", value: "no email", rule: "contract §16 email", other: null },
        { path: "created_at", value: "yesterday", rule: "contract §6 unreadable times", other: null },
      ],
      [{ path: "attributes.email", value: ada, rule: "contract §6 path and body", other: { svc_id } }],
      [{ path: "traits.long", value: long, rule: "contract §5 over a limit in Pipelines", other: null }],
      [{ path: "timestamp", value: "noon", rule: "contract §6 unreadable times", other: null }],
    ])
  })

  it("an answer of Track lists faults without the values, and an operation without faults refuses nothing", async () => {
    const answer = await tenant.entity({
      type: "person",
      action: "identify",
      identifiers: { id: fresh("p") },
      attributes: { plan: "x".repeat(1001), email: "no email" },
    })
    expect(answer.status).toBe(400)
    for (const error of (answer.json as { errors: ReadonlyArray<object> }).errors) {
      expect(Object.keys(error).toSorted()).toStrictEqual(["field", "message", "reason"])
    }
    expect(await operationOf(await tenant.identify(fresh("p")))).toMatchObject({ refused: [] })
  })
})
