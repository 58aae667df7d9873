import { Inlet as Client } from "@inlethq/sdk"
import { expect, it } from "vitest"
import { eventually, within } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const events = 12_000
const kills = 2

it("the server stores every event of the SDK exactly once, although the server is killed twice while the SDK sends", async () => {
  let inlet = await Inlet.start()
  const { port } = inlet
  const { workspace, writeKey } = await PipelinesSource.create({}, inlet)
  let stored = 0
  const client = new Client({
    url: inlet.url,
    writeKey,
    batchCallsMax: 100,
    onOutcome: () => stored++,
    onWarning: () => {},
  })
  const sending = (async () => {
    for (let n = 0; n < events; n++)
      await client.track({ userId: `p${n % 10}`, event: "e", messageId: `m${n}` })
    await client.flush()
  })()
  for (let kill = 1; kill <= kills; kill++) {
    const before = (events * kill) / (kills + 2)
    await eventually(`${before} events have outcomes`, () => (stored >= before ? true : undefined))
    await inlet.kill()
    inlet = await Inlet.start({ dataDir: inlet.dataDir, env: { INLET_PORT: String(port) } })
  }
  await within("all events have outcomes", sending)
  await client.close()
  const entries = await new Management(inlet, workspace).activity({ outcome: "pending" })
  expect(new Set(entries.map(({ id }) => id)).size).toBe(events)
  expect(entries).toHaveLength(events)
  await inlet.stop()
})
