import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { credentials, Inlet } from "../../src/Inlet.ts"

const folder = join(import.meta.dirname, "../../../examples")

/** For each example program, the texts that its output must contain. */
const printed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "sdk.ts": [" created\n", " applied\n", "partial: email: email belongs to another person", '"id": "hedy"'],
  "emulator.ts": ["The server ignored the second copy", '"topic": "networks"'],
  "track.ts": ['"email": "ada@example.com"', '"plan": "pro"'],
  "pipelines.ts": ['"email": "grace@example.com"', '"name": "Navy"'],
  "segment.ts": ['"email": "katherine@example.com"'],
  "batch.ts": ["The response (207)", '"batch_index": 2', '"name": "Acme"'],
  "webhook.ts": ['"metric": "unsubscribed"', '"customer_id": "edith"'],
  "explain.ts": ["answered 200", '"outcome": "partial"', "belongs to another person"],
}

describe("the programs in examples", () => {
  let inlet: Inlet
  beforeAll(async () => {
    inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
    return () => inlet.stop()
  })

  const run = (program: string) =>
    promisify(execFile)(process.execPath, [join(folder, program)], {
      env: {
        ...process.env,
        INLET_URL: inlet.url,
        INLET_SITE_ID: credentials.siteId,
        INLET_API_KEY: credentials.apiKey,
        INLET_WRITE_KEY: credentials.writeKey,
        INLET_MANAGEMENT_TOKEN: credentials.token,
      },
    })

  it("every example program has a test", () => {
    const programs = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "inlet.ts")
    expect(programs.toSorted()).toEqual(Object.keys(printed).toSorted())
  })

  it.each(Object.entries(printed))(
    "the example %s prints the data that Inlet stored",
    async (program, texts) => {
      const { stdout } = await run(program)
      for (const text of texts) expect(stdout).toContain(text)
    },
  )
})
