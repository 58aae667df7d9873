import { createInlet } from "@inlet/sdk/testing"
import { it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { send, type RunningServer } from "../../src/http.ts"

const hourMs = 3_600_000

interface SegmentDocument {
  readonly segment_id: number
  readonly state: string
  readonly size: number
}

/** Calls the management API. */
const call = async (
  { url }: RunningServer,
  token: string,
  path: string,
  body?: unknown,
): Promise<SegmentDocument> => {
  const answer = await send(url, {
    method: body === undefined ? "GET" : "POST",
    path: `/management/v1/workspaces/1/segments${path}`,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return JSON.parse(answer.text)
}

it("people leave a segment in the emulator when the clock moves", async () => {
  await using emulator = await createInlet({
    seed: [
      { type: "identify", userId: "ada" },
      { type: "track", userId: "ada", event: "bought" },
    ],
  })
  const rule = { event: { name: "bought", within: "2h" } }
  const token = emulator.managementToken
  const { segment_id } = await call(emulator, token, "", { name: "Buyers", rule })
  const sizeIs = (size: number) =>
    eventually(`the segment has ${size} people`, async () =>
      (await call(emulator, token, `/${segment_id}`)).size === size ? true : undefined,
    )
  await sizeIs(1)
  emulator.advance(2 * hourMs)
  await sizeIs(0)
})
