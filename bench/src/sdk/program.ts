import { Inlet } from "@inlethq/sdk"
import type { SdkJob, SdkResult } from "./SdkJob.ts"

/**
 * A program that sends the calls of one job with the SDK, as a user's program would. The bench runs a bundle of this
 * program.
 */

const people = 10_000

const isStoredOnce = new Set(["applied", "created", "duplicate"])

const run = async ({ calls, identifies, url, writeKey }: SdkJob): Promise<SdkResult> => {
  let stored = 0
  const inlet = new Inlet({
    url,
    writeKey,
    onOutcome: ({ status }) => {
      if (isStoredOnce.has(status)) stored++
    },
    onWarning: () => {},
  })
  const from = performance.now()
  for (let n = 0; n < calls; n++) {
    const userId = `p${String(n % people).padStart(10, "0")}`
    await (identifies && n % 2 === 0
      ? inlet.identify({ userId, traits: traitsOf(n) })
      : inlet.track({ userId, event: "page_viewed", properties: propertiesOf(n) }))
  }
  await inlet.flush()
  const seconds = (performance.now() - from) / 1000
  await inlet.close()
  return { stored, callsPerSecond: calls / seconds }
}

const traitsOf = (n: number) => ({
  first_name: "Ada",
  last_name: `L${n}`,
  plan: "premium",
  city: "Heidelberg",
  visits: n % 100_000,
  score: n % 10_000,
  newsletter: true,
  last_seen: 1_700_000_000 + n,
})

const propertiesOf = (n: number) => ({
  path: "/pricing",
  duration: n % 10_000,
  device: "mobile",
  campaign: `c-${n % 10_000}`,
})

process.on("message", (job: SdkJob) => {
  void run(job).then((result) => process.send?.(result))
})
