import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { api } from "../api/api.ts"
import type { IconName } from "../shared/Icon.tsx"
import { useDestinations } from "./destinations.ts"
import { useWorkspace } from "./useWorkspace.ts"

/** The largest number of people that the palette lists. */
const peopleMax = 6

export interface PaletteEntry {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  readonly hint: string
  readonly run: () => void
}

/** Returns the entries of the command palette that match a text, best first. */
export const usePaletteEntries = (text: string): ReadonlyArray<PaletteEntry> => {
  const typed = text.trim()
  return [...useOperationEntry(typed), ...usePageEntries(typed), ...usePeopleEntries(typed)]
}

const usePageEntries = (typed: string): ReadonlyArray<PaletteEntry> => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const destinations = useDestinations()
  const start = { to: "/w/$w/start", label: "Start: send your first event", icon: "start", key: "" } as const
  return [...destinations, start]
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
    .map(({ icon, key, label, to }) => ({
      key: to,
      icon,
      label,
      hint: key === "" ? "page" : `page, g ${key}`,
      run: () => void navigate({ to, params: { w } }),
    }))
}

const useOperationEntry = (typed: string): ReadonlyArray<PaletteEntry> => {
  const w = useWorkspace()
  const navigate = useNavigate()
  if (!/^op[0-9a-z]{8,}(-\d+)?$/.test(typed)) return []
  return [
    {
      key: "operation",
      icon: "live",
      label: typed,
      hint: "operation",
      run: () => void navigate({ to: "/w/$w/operations/$operationId", params: { w, operationId: typed } }),
    },
  ]
}

const usePeopleEntries = (typed: string): ReadonlyArray<PaletteEntry> => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const found = useQuery({
    queryKey: [w, "palette", typed],
    queryFn: ({ signal }) => findPeople(w, typed, signal),
    enabled: typed !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  if (typed === "") return []
  return (found.data ?? []).map((person) => ({
    key: person.svc_id,
    icon: "people",
    label: person.email ?? person.id ?? person.svc_id,
    hint: "person",
    run: () => void navigate({ to: "/w/$w/people/$personId", params: { w, personId: person.svc_id } }),
  }))
}

/** Finds people by `svc_id`, by anonymous id, or by the beginning of an id or email. */
const findPeople = async (w: string, typed: string, signal: AbortSignal) => {
  const limit = peopleMax
  const [byPrefix, byAnonymousId, bySvcId] = await Promise.all([
    api.people.list(w, { q: typed, limit }, signal),
    api.people.list(w, { anonymous_id: typed, limit }, signal),
    /^(\w{3}_)?p[0-9a-z]{8,}$/.test(typed)
      ? api.people.list(w, { svc_id: typed, limit }, signal)
      : { items: [] },
  ])
  const found = [...bySvcId.items, ...byAnonymousId.items, ...byPrefix.items]
  return [...new Map(found.map((person) => [person.svc_id, person])).values()].slice(0, peopleMax)
}
