import type { Bench } from "../Bench.ts"
import { Destination, measureShare, measureWaiting } from "../Destination.ts"
import { knownPeople } from "../people.ts"

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
  await measureWaiting(bench, inlet, store, webhook, {
    title: "Inlet, webhook without ordering, events that wait",
    unit: "deliveries",
    perSecondMin: deliveriesMin,
  })
  await measureShare(bench, inlet, store, webhook, "webhook")
  await bench.killAndVerify(inlet, store)
  await receiver.kill()
}
