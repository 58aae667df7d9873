import { queryOptions, useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { readTypes } from "../events/eventTypes.ts"
import { dayStatsOf, dayStatsSteps } from "./dayStats.ts"
import { clientsSeenFirst } from "./clientsSeenFirst.ts"
import type { HomeFacts } from "./findingsOf.ts"

const dayMs = 86_400_000

/** The milliseconds between two reads of what the verdict is made of. */
const refreshMs = 10_000

/** The milliseconds between two reads of all names, which are many. */
const typesEveryMs = 60_000

/** The most webhooks, destinations and imports that are looked at. */
const itemsMax = 100

/** A part of what Home shows, which is read again and again. */
const part = <A>(
  queryKey: ReadonlyArray<string>,
  read: (signal: AbortSignal) => Promise<A>,
  refetchInterval = refreshMs,
) => queryOptions({ queryKey, queryFn: ({ signal }) => read(signal), refetchInterval })

/** Reads everything that Home shows. */
export const useHome = (w: string) => {
  const isServerRefused = useRefusal("server.status") !== undefined
  const day = useQuery(
    part([w, "home", "stats"], async (signal) =>
      dayStatsOf(await api.stats.get(w, dayStatsSteps(Date.now()), signal)),
    ),
  )
  const causes = useQuery(part([w, "home", "causes"], (signal) => api.types.causes(w, {}, signal)))
  const drift = useQuery(part([w, "home", "drift"], (signal) => api.types.drift(w, {}, signal)))
  const types = useQuery(
    part([w, "home", "types"], (signal) => readTypes(w, undefined, signal), typesEveryMs),
  )
  const alerts = useQuery(
    part([w, "home", "alerts"], (signal) => api.alerts.list(w, { state: "open" }, signal)),
  )
  const limit = itemsMax
  const webhooks = useQuery(
    part([w, "home", "webhooks"], (signal) => api.webhooks.list(w, { limit }, signal)),
  )
  const destinations = useQuery(
    part([w, "home", "destinations"], (signal) => api.destinations.list(w, { limit }, signal)),
  )
  const lake = useQuery(part([w, "home", "lake"], (signal) => api.lake.get(w, signal)))
  const imports = useQuery(
    part([w, "home", "imports"], (signal) => api.importJobs.list(w, { limit }, signal)),
  )
  const enabled = !isServerRefused
  const status = useQuery({ ...part(["status"], (signal) => api.server.status(signal)), enabled })
  const server = useQuery({ ...part(["server"], (signal) => api.server.get(signal)), enabled })
  const now = Date.now()
  const facts: HomeFacts = {
    now,
    day: day.data,
    alerts: alerts.data?.items,
    causes: causes.data?.items,
    drift: drift.data?.items,
    webhooks: webhooks.data?.items,
    destinations: destinations.data?.items,
    lake: lake.data,
    imports: imports.data?.items,
    status: status.data,
    server: server.data,
  }
  const parts = {
    operations: day,
    alerts,
    causes,
    events: drift,
    names: types,
    webhooks,
    destinations,
    lake,
    imports,
  }
  const asked = Object.entries(isServerRefused ? parts : { ...parts, status, server })
  return {
    facts,
    clients: clientsSeenFirst(types.data ?? [], causes.data?.items ?? [], now - dayMs),
    // Nothing is shown before everything has been answered, because a verdict on a part would be none.
    isLoading: asked.some(([, { isPending }]) => isPending),
    unread: asked.filter(([, { data, isError }]) => isError && data === undefined).map(([name]) => name),
    isServerRefused,
  }
}
