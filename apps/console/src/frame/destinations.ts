import { refusalOf } from "@inlethq/contract/access/refusalOf"
import { requirements, type EndpointName } from "@inlethq/contract/access/requirements"
import { useLocation } from "@tanstack/react-router"
import { useSession } from "../session/useRefusal.ts"
import type { IconName } from "../shared/buttons/Icon.tsx"
import { useFeatures, type Feature } from "./useFeatures.ts"
import { useWorkspace } from "./useWorkspace.ts"

/**
 * The pages in the navigation. Pressing `g` and then `key` opens a page. `needs` is the endpoint without which the page
 * would be empty, `group` the heading under which it stands, and `feature` what a workspace may not use.
 */
const destinations = [
  { to: "/w/$w/home", label: "Home", icon: "home", key: "h", group: "Now" },
  { to: "/w/$w/live", label: "Live", icon: "live", key: "l", group: "Now" },
  { to: "/w/$w/errors", label: "Errors", icon: "errors", key: "e", group: "Now" },
  { to: "/w/$w/people", label: "People", icon: "people", key: "p", group: "People" },
  { to: "/w/$w/segments", label: "Segments", icon: "segments", key: "s", group: "People" },
  { to: "/w/$w/objects", label: "Objects", icon: "objects", key: "o", group: "People", feature: "objects" },
  {
    to: "/w/$w/duplicates",
    label: "Duplicates",
    icon: "duplicates",
    key: "u",
    group: "People",
    feature: "duplicates",
  },
  { to: "/w/$w/forms", label: "Forms", icon: "forms", key: "f", group: "People", feature: "forms" },
  {
    to: "/w/$w/deliveries",
    label: "Deliveries",
    icon: "deliveries",
    key: "d",
    group: "People",
    feature: "deliveries",
  },
  {
    to: "/w/$w/erasures",
    label: "Erasures",
    icon: "erasures",
    key: "x",
    group: "People",
    feature: "erasures",
  },
  { to: "/w/$w/events", label: "Events", icon: "events", key: "v", group: "Data" },
  { to: "/w/$w/imports", label: "Imports", icon: "imports", key: "i", group: "Data", feature: "imports" },
  {
    to: "/w/$w/destinations",
    label: "Destinations",
    icon: "destinations",
    key: "b",
    group: "Data",
    feature: "destinations",
  },
  { to: "/w/$w/webhooks", label: "Webhooks", icon: "webhooks", key: "w", group: "Data", feature: "webhooks" },
  { to: "/w/$w/lake", label: "Lake", icon: "lake", key: "r", group: "Data", feature: "lake" },
  { to: "/w/$w/keys", label: "Keys", icon: "keys", key: "k", group: "Admin" },
  { to: "/w/$w/tokens", label: "Tokens", icon: "tokens", key: "t", needs: "tokens.list", group: "Admin" },
  {
    to: "/w/$w/sessions",
    label: "Sessions",
    icon: "account",
    key: "n",
    needs: "sessions.list",
    group: "Admin",
  },
  { to: "/w/$w/audit", label: "Audit", icon: "audit", key: "a", needs: "audit.list", group: "Admin" },
  { to: "/w/$w/settings", label: "Settings", icon: "settings", key: "c", group: "Admin" },
  { to: "/w/$w/health", label: "Health", icon: "health", key: "m", group: "Admin" },
] as const satisfies ReadonlyArray<{
  readonly to: string
  readonly label: string
  readonly icon: IconName
  readonly key: string
  readonly group: string
  readonly needs?: EndpointName
  readonly feature?: Feature
}>

export type Destination = (typeof destinations)[number]

/** Returns the address of the current page, with the workspace as a parameter. Of a page beside the navigation, it is Home. */
export const useCurrentPage = (): Destination["to"] => {
  const [, , , page] = useLocation().pathname.split("/")
  return destinations.find(({ to }) => to === `/w/$w/${page}`)?.to ?? "/w/$w/home"
}

/** Returns the pages that the session may use. */
export const useDestinations = (): ReadonlyArray<Destination> => {
  const session = useSession()
  const w = useWorkspace()
  return destinations.filter(
    (destination) =>
      !("needs" in destination) || refusalOf(session.grants, requirements[destination.needs], w) === null,
  )
}

/** Returns the pages that the session may use, without those about features that the workspace does not use. */
export const useDestinationsInUse = (): ReadonlyArray<Destination> => {
  const used = useFeatures()
  const current = useCurrentPage()
  return useDestinations().filter((one) => !("feature" in one) || used.has(one.feature) || one.to === current)
}
