import type { Bench } from "../Bench.ts"
import { Destination, measureShare, measureWaiting } from "../Destination.ts"
import { knownPeople } from "../people.ts"

const eventsMin = 10_000

const forwards = { path: "forwards", counter: "inlet_forward_items_total" } as const

/**
 * Measures how fast a forward sends events to a receiver on this machine, once for each shape. Then measures how fast the server
 * accepts single events beside the second one. The receiver is the minimal Node server that other phases use as the baseline.
 */
export const measureForwards = async (bench: Bench): Promise<void> => {
  const receiver = await bench.startBare()
  const url = `http://127.0.0.1:${receiver.port}`
  for (const to of ["track-v2", "segment"] as const) {
    const store = bench.newStore(`forwards-${to}`)
    const inlet = await bench.startInlet(store, { environment: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
    await bench.addPeople(inlet, store, knownPeople)
    const key = to === "segment" ? "key" : "site:key"
    const forward = await Destination.create(inlet, forwards, { to, url, key })
    await measureWaiting(bench, inlet, store, forward, {
      title: `Inlet, forward to ${to}, events that wait`,
      unit: "events",
      perSecondMin: eventsMin,
    })
    if (to === "segment") await measureShare(bench, inlet, store, forward, "forward")
    await bench.killAndVerify(inlet, store)
  }
  await receiver.kill()
}
