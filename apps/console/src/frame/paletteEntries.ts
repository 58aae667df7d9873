import { isOperationId } from "@inlet/core/values/idText"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { findPeople } from "../shared/findPeople.ts"
import type { IconName } from "../shared/Icon.tsx"
import { personName } from "../shared/personName.ts"
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

interface PaletteEntries {
  /** The entries that match the text, best first. */
  readonly entries: ReadonlyArray<PaletteEntry>
  /** True while the people among the entries still answer an earlier text. */
  readonly isStale: boolean
}

export const usePaletteEntries = (text: string): PaletteEntries => {
  const typed = text.trim()
  const own = [...useOperationEntry(typed), ...usePageEntries(typed)]
  const { isStale, people } = usePeopleEntries(typed)
  return { entries: [...own, ...people], isStale: isStale && own.length === 0 }
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
  if (!isOperationId(typed)) return []
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

const usePeopleEntries = (typed: string) => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const found = useQuery({
    queryKey: [w, "palette", typed],
    queryFn: async ({ signal }) => (await findPeople(w, typed, { limit: peopleMax }, signal)).items,
    enabled: typed !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const shown = typed === "" ? [] : (found.data ?? []).slice(0, peopleMax)
  const people = shown.map((person) => ({
    key: person.svc_id,
    icon: "people" as const,
    label: personName(person),
    hint: "person",
    run: () => void navigate({ to: "/w/$w/people/$personId", params: { w, personId: person.svc_id } }),
  }))
  return { people, isStale: typed !== "" && (found.isPending || found.isPlaceholderData) }
}
