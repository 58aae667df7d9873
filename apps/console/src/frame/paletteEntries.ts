import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { AnswerOf } from "@inlethq/contract/ManagementCall"
import { api } from "../api/generated.ts"
import { workspacesQuery } from "../api/workspacesQuery.ts"
import type { IconName } from "../shared/buttons/Icon.tsx"
import { partlySearchedTexts } from "../shared/lists/partlySearched.ts"
import { useSettledText } from "../shared/fields/useSettledText.ts"
import { personName } from "../shared/values/personName.ts"
import type { Found } from "../shared/lists/searchedPage.ts"
import { useRefusal } from "../session/useRefusal.ts"
import { useSignOut } from "../session/useSignOut.ts"
import { switchZone } from "../shared/time/zone.ts"
import { useDestinations } from "./destinations.ts"
import type { PaletteAction } from "./PaletteAction.ts"
import { useTheme } from "./theme.ts"
import { useWorkspace } from "./useWorkspace.ts"

/** The largest number of items of one kind that the palette lists, besides exact matches. */
const foundMax = 6

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
  /** True while what was found still answers an earlier text. */
  readonly isStale: boolean
  /** Say which kinds have too many items to search them all. */
  readonly notes: ReadonlyArray<string>
}

type FoundInWorkspace = AnswerOf<"search", "everywhere">["items"][number]

/**
 * Returns exact matches, then pages and actions, then everything else that the text finds. If it names nothing here in full, it is looked
 * for in the other workspaces.
 */
export const usePaletteEntries = (text: string, commands: PaletteCommands): PaletteEntries => {
  const typed = text.trim()
  const words = typed.toLowerCase().split(/\s+/)
  const own = [...usePageEntries(), ...useActionEntries(commands)].filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  )
  const { found, isStale, notes } = useFound(typed)
  const w = useWorkspace()
  const toEntry = useFoundEntry(typed)
  const exact = found.filter((one) => one.exact).map((one) => toEntry(one, w))
  const others = found.filter((one) => !one.exact).map((one) => toEntry(one, w))
  const settled = useSettledText(typed, settledMs) ?? ""
  const isHere = isStale || exact.length > 0
  const elsewhere = useElsewhere(isHere ? "" : settled).map(({ environment_id, found: one, name }) => {
    const entry = toEntry(one, String(environment_id))
    return { ...entry, key: `${environment_id} ${entry.key}`, hint: `${entry.hint}, in ${name}` }
  })
  return { entries: [...exact, ...own, ...others, ...elsewhere], isStale, notes }
}

/** The other workspaces are searched once no key was pressed for this long. */
const settledMs = 250

/** The largest number of items of other workspaces that the palette lists. */
const elsewhereMax = 10

/** Returns what a text names in full in workspaces other than this one. An empty text names nothing. */
const useElsewhere = (typed: string): ReadonlyArray<FoundInWorkspace> => {
  const w = useWorkspace()
  const known = useQuery({ ...workspacesQuery, enabled: typed !== "" })
  const query = useQuery({
    queryKey: ["palette", typed],
    queryFn: ({ signal }) => api.search.everywhere({ q: typed }, signal),
    enabled: typed !== "" && (known.data?.items.length ?? 0) > 1,
    staleTime: 5_000,
  })
  if (typed === "") return []
  return (query.data?.items ?? [])
    .filter(({ environment_id }) => String(environment_id) !== w)
    .slice(0, elsewhereMax)
}

const usePageEntries = (): ReadonlyArray<PaletteEntry> => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const destinations = useDestinations()
  const start = { to: "/w/$w/start", label: "Start: send your first event", icon: "start", key: "" } as const
  return [...destinations, start].map(({ icon, key, label, to }) => ({
    key: to,
    icon,
    label,
    hint: key === "" ? "page" : `page, g ${key}`,
    run: () => void navigate({ to, params: { w } }),
  }))
}

/** What the palette asks of the frame. */
export interface PaletteCommands {
  readonly onKeys: () => void
  readonly onAction: (action: PaletteAction) => void
}

const useActionEntries = ({ onAction, onKeys }: PaletteCommands): ReadonlyArray<PaletteEntry> => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const [theme, switchTheme] = useTheme()
  const leave = useSignOut()
  const may = {
    apply: useRefusal("activity.apply") === undefined,
    key: useRefusal("keys.create") === undefined,
    segment: useRefusal("segments.create") === undefined,
    workspace: useRefusal("workspaces.create") === undefined,
  }
  const hint = "action"
  const newSegment = {
    key: "segment",
    icon: "segments",
    label: "Create a segment",
    hint,
    run: () => void navigate({ to: "/w/$w/segments/new", params: { w } }),
  } as const
  const act = (key: PaletteAction, icon: IconName, label: string, isAllowed: boolean) =>
    isAllowed ? [{ key, icon, label, hint, run: () => onAction(key) }] : []
  return [
    ...act("send", "start", "Send an operation", may.apply),
    ...act("unsuppress", "ignored", "Unsuppress or suppress an identifier", may.apply),
    ...(may.segment ? [newSegment] : []),
    ...act("key", "keys", "Create a key", may.key),
    ...act("switch", "fold", "Switch to another workspace", true),
    ...act("workspace", "created", "Create a workspace", may.workspace),
    { key: "theme", icon: theme, label: `Switch the theme (now ${theme})`, hint, run: switchTheme },
    { key: "zone", icon: "pending", label: "Switch the time zone", hint, run: switchZone },
    { key: "keys", icon: "keyboard", label: "Show all keys", hint: "action, ?", run: onKeys },
    { key: "sign out", icon: "account", label: "Sign out", hint, run: leave.mutate },
  ]
}

const fullNote = `At most ${foundMax} of each kind are listed. A longer text finds the others.`

/** Returns whether more of a kind may begin with the text than are listed. */
const isFull = (found: ReadonlyArray<Found>): boolean => {
  const begins = found.filter(({ exact }) => !exact)
  return begins.some(({ kind }) => begins.filter((other) => other.kind === kind).length >= foundMax)
}

const useFound = (typed: string) => {
  const w = useWorkspace()
  const query = useQuery({
    queryKey: [w, "palette", typed],
    queryFn: ({ signal }) => api.search.find(w, { q: typed, limit: foundMax }, signal),
    enabled: typed !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const found: ReadonlyArray<Found> = typed === "" ? [] : (query.data?.items ?? [])
  const isStale = typed !== "" && !query.isError && (query.isPending || query.isPlaceholderData)
  const partly = typed === "" ? [] : (query.data?.partly_searched ?? [])
  const notes = partly.flatMap((kind) => partlySearchedTexts[kind] ?? [])
  return { found, isStale, notes: isFull(found) ? [...notes, fullNote] : notes }
}

/** Returns a function that makes the entry of something that was found in a workspace. */
const useFoundEntry = (typed: string): ((found: Found, w: string) => PaletteEntry) => {
  const navigate = useNavigate()
  return (found, w) => {
    switch (found.kind) {
      case "person": {
        const { merged_svc_id, name, svc_id } = found
        return {
          key: svc_id,
          icon: "people",
          label: name === null ? personName(found) : `${personName(found)}, ${name}`,
          hint: merged_svc_id === null ? "person" : `person, ${typed} was merged into them`,
          run: () => void navigate({ to: "/w/$w/people/$personId", params: { w, personId: svc_id } }),
        }
      }
      case "object": {
        const { object_id: objectId, object_type_id: objectTypeId, svc_object_id } = found
        const params = { w, objectId, objectTypeId }
        return {
          key: svc_object_id,
          icon: "objects",
          label: found.name === null ? objectId : `${found.name}, ${objectId}`,
          hint: `object of type ${objectTypeId}`,
          run: () => void navigate({ to: "/w/$w/objects/$objectTypeId/$objectId", params }),
        }
      }
      case "delivery": {
        const deliveryId = found.delivery_id
        return {
          key: `delivery ${deliveryId}`,
          icon: "deliveries",
          label: deliveryId,
          hint: "delivery",
          run: () => void navigate({ to: "/w/$w/deliveries/$deliveryId", params: { w, deliveryId } }),
        }
      }
      case "segment": {
        const segmentId = String(found.segment_id)
        return {
          key: `segment ${segmentId}`,
          icon: "segments",
          label: found.name,
          hint: "segment",
          run: () => void navigate({ to: "/w/$w/segments/$segmentId", params: { w, segmentId } }),
        }
      }
      case "form": {
        const formId = found.form_id
        return {
          key: `form ${formId}`,
          icon: "forms",
          label: formId,
          hint: "form",
          run: () => void navigate({ to: "/w/$w/forms/$formId", params: { w, formId } }),
        }
      }
      case "operation": {
        const operationId = found.operation_id
        return {
          key: operationId,
          icon: "live",
          label: operationId,
          hint: "operation",
          run: () => void navigate({ to: "/w/$w/operations/$operationId", params: { w, operationId } }),
        }
      }
    }
  }
}
