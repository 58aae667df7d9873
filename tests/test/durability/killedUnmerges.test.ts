import { expect, it } from "vitest"
import { fresh, testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

/** The merges that are undone at once. */
const pairs = 40

it(`contract §6 unmerge: a server that is killed while merges are undone has undone each of them whole or not at all (INLET_TEST_SEED=${seed})`, async () => {
  const random = fractions(seed)
  const before = await Inlet.start()
  const management = new Management(before)
  const operate = (operation: object, server = management) =>
    server.call("POST", server.pathOf("/operations"), operation)
  const merged: Array<{ readonly id: string; readonly primary: string; readonly secondary: string }> = []
  for (let n = 0; n < pairs; n++) {
    const id = fresh("ada")
    for (const [who, attributes] of [
      [`${id}-1`, { plan: "pro" }],
      [`${id}-2`, { email: `${id}@example.com`, city: "Oslo" }],
    ] as const) {
      await operate({ type: "person", action: "identify", identifiers: { id: who }, attributes })
    }
    const second = { type: "person", identifiers: { id: `${id}-2` } }
    await operate({ ...second, action: "event", name: "bought" })
    await operate({ ...second, action: "add_device", device: { token: `${id}-token`, platform: "ios" } })
    const [primary, secondary] = [
      await management.person({ id: `${id}-1` }),
      await management.person({ id: `${id}-2` }),
    ]
    const names = { primary: { svc_id: primary.svc_id }, secondary: { svc_id: secondary.svc_id } }
    await operate({ type: "person", action: "merge", ...names })
    merged.push({ id, primary: primary.svc_id, secondary: secondary.svc_id })
  }
  const killAfter = Math.floor(random() * pairs * 0.8)
  const undone = new Set<string>()
  const undo = async ({ id, primary, secondary }: (typeof merged)[number]) => {
    const names = { primary: { svc_id: primary }, secondary: { svc_id: secondary } }
    const { status } = await operate({ type: "person", action: "unmerge", ...names })
    if (status < 300) undone.add(id)
    if (undone.size === killAfter + 1) await before.kill()
  }
  // Four clients undo merges at the same time, so some wait for a commit when the server dies.
  await Promise.allSettled(
    [0, 1, 2, 3].map(async (client) => {
      for (const [n, pair] of merged.entries()) if (n % 4 === client) await undo(pair)
    }),
  )
  expect(undone.size).toBeGreaterThan(killAfter)
  await before.kill()
  const after = await Inlet.start({ dataDir: before.dataDir })
  const again = new Management(after)
  for (const { id, primary, secondary } of merged) {
    const isApart = (await again.people({ id: `${id}-2` })).length === 1
    if (undone.has(id)) expect([id, isApart]).toEqual([id, true])
    const first = await again.personBySvcId(primary)
    const whose = await again.activity({ name: "bought" }, isApart ? secondary : primary)
    expect([id, whose.length]).toEqual([id, 1])
    const owner = isApart ? await again.personBySvcId(secondary) : first
    expect([owner.email, owner.attributes["city"], owner.devices.map(({ token }) => token)]).toEqual([
      `${id}@example.com`,
      "Oslo",
      [`${id}-token`],
    ])
    if (!isApart) continue
    expect([first.email, first.attributes, first.devices]).toEqual([null, { plan: "pro" }, []])
  }
  expect(await after.stop()).toEqual({ code: 0, signal: null })
})
