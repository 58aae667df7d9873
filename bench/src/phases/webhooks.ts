import { batchConnections, type Bench } from "../Bench.ts"
import { Destination, measureShare } from "../Destination.ts"
import { knownOf, knownPeople } from "../people.ts"
import { plainRow } from "../report.ts"
import { scenarios } from "../scenarios.ts"

/** The number of events that wait when the webhook is turned on. The benchmark measures how fast they are delivered. */
const waitingEvents = 10_000

const deliveriesMin = 2000

const webhooks = { path: "webhooks", counter: "inlet_webhook_attempts_total" } as const

/**
 * Measures how fast a webhook with the ordering `none` delivers events to a receiver on this machine. Then measures how
 * fast the server accepts single events beside it. The receiver is the minimal Node server that other phases use as the
 * baseline.
 */
export const measureWebhooks = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("webhooks")
  const receiver = await bench.startBare()
  const inlet = await bench.startInlet(store, { environment: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  await bench.addPeople(inlet, store, knownPeople)
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const webhook = await Destination.create(inlet, webhooks, { url, kind: "activity", ordering: "none" })
  await bench.load(inlet, store, {
    scenario: "eventsOfManyNames",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(waitingEvents / scenarios.eventsOfManyNames.units) },
  })
  await webhook.enable(true)
  const perSecond = await webhook.rateUntil(waitingEvents)
  bench.rows.push(
    plainRow("Inlet, webhook without ordering, events that wait", {
      unit: "deliveries",
      rate: perSecond,
      target: { text: `>= ${deliveriesMin}/s`, met: perSecond >= deliveriesMin },
    }),
  )
  await measureShare(bench, inlet, store, webhook, "webhook")
  await bench.killAndVerify(inlet, store)
  await receiver.kill()
}
