import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { api } from "../api/generated.ts"
import type { PageOf } from "../api/PageOf.ts"
import { useRefusal } from "../session/useRefusal.ts"
import { useWorkspace } from "./useWorkspace.ts"

/** The milliseconds between two looks at features that were not used so far. */
const everyMs = 60_000

/** What a workspace may not use. */
const features = [
  "objects",
  "duplicates",
  "forms",
  "deliveries",
  "erasures",
  "imports",
  "destinations",
  "webhooks",
  "lake",
] as const
export type Feature = (typeof features)[number]

type Read = (w: string, signal: AbortSignal) => Promise<ReadonlyArray<Feature>>

const any =
  (feature: Feature, list: (w: string, signal: AbortSignal) => Promise<PageOf<unknown>>): Read =>
  async (w, signal) => {
    const { items, next } = await list(w, signal)
    return items.length > 0 || next !== null ? [feature] : []
  }

const limit = 1

/** The most destinations that are looked at. */
const destinationsMax = 200

const reads: ReadonlyArray<readonly [tells: ReadonlyArray<Feature>, read: Read]> = [
  [["objects"], any("objects", (w, signal) => api.objects.list(w, { limit }, signal))],
  [["duplicates"], any("duplicates", (w, signal) => api.duplicates.list(w, { limit }, signal))],
  [["forms"], any("forms", (w, signal) => api.forms.list(w, { limit }, signal))],
  [["deliveries"], any("deliveries", (w, signal) => api.deliveries.list(w, { limit }, signal))],
  [["erasures"], any("erasures", (w, signal) => api.erasures.list(w, { limit }, signal))],
  [["imports"], any("imports", (w, signal) => api.importJobs.list(w, { limit }, signal))],
  [
    ["destinations", "webhooks", "lake"],
    async (w, signal) => {
      const { items } = await api.destinations.list(w, { limit: destinationsMax }, signal)
      const kinds = new Set(items.map(({ kind }) => kind))
      return [
        ...(items.length > 0 ? (["destinations"] as const) : []),
        ...(kinds.has("webhook") ? (["webhooks"] as const) : []),
        ...(kinds.has("lake") ? (["lake"] as const) : []),
      ]
    },
  ],
]

const storageKey = (w: string): string => `inlet.used.${w}`

const remembered = (w: string): ReadonlySet<Feature> => {
  const names = (localStorage.getItem(storageKey(w)) ?? "").split(",")
  return new Set(features.filter((feature) => names.includes(feature)))
}

/** Looks for features that were not used so far. What cannot be read counts as not used. */
const readFeatures = async (w: string, signal: AbortSignal): Promise<ReadonlySet<Feature>> => {
  const known = remembered(w)
  const asked = reads.filter(([tells]) => tells.some((feature) => !known.has(feature)))
  const found = await Promise.allSettled(asked.map(([, read]) => read(w, signal)))
  const used = new Set([...known, ...found.flatMap((one) => (one.status === "fulfilled" ? one.value : []))])
  localStorage.setItem(storageKey(w), [...used].join(","))
  return used
}

/** The beginning of the key of the query that looks for features. A change that an operator makes may be the first use of one. */
export const featuresKey = ["features"]

/** Returns the features that the workspace uses, or has used. The browser remembers them, so that the navigation does not grow on every visit. */
export const useFeatures = (): ReadonlySet<Feature> => {
  const w = useWorkspace()
  const isIdle = useIdle()
  const isForeign = useRefusal("workspaces.get") !== undefined
  const used = useQuery({
    queryKey: [...featuresKey, w],
    queryFn: ({ signal }) => readFeatures(w, signal),
    // Nothing of a workspace that the session may not use can be read, and every attempt is in the audit.
    enabled: isIdle && !isForeign,
    initialData: () => remembered(w),
    refetchInterval: everyMs,
    initialDataUpdatedAt: 0,
  })
  return used.data
}

/** False until the browser has nothing else to do for the first time. */
const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const idle = requestIdleCallback(() => setIdle(true))
    return () => cancelIdleCallback(idle)
  }, [])
  return isIdle
}
