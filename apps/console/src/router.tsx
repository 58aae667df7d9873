import { idInSegment, segmentOfId } from "@inlethq/contract/values/pathSegments"
import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext, createRoute, createRouter, redirect } from "@tanstack/react-router"
import { api } from "./api/generated.ts"
import { Frame } from "./frame/Frame.tsx"
import { LoadFailed, PageNotFound } from "./frame/LoadFailed.tsx"
import {
  activitySearch,
  auditSearch,
  errorsSearch,
  eventsSearch,
  keySearch,
  listSearch,
  newSegmentSearch,
  objectSearch,
  parseSearch,
  peopleSearch,
  segmentsSearch,
  signInSearch,
  stringifySearch,
} from "./shared/values/search.ts"
import { signInFrom } from "./session/goToSignIn.ts"
import { lastWorkspace } from "./session/lastWorkspace.ts"
import { sessionIn, sessionQuery } from "./session/session.ts"
import { lazily } from "./shared/dialogs/lazily.tsx"

/** Marks the end of an id in a path, because browsers remove a space at the end of an address. */
const idEnd = "~"

const endedSegment = (id: string): string => {
  const segment = segmentOfId(id)
  return /[\s~]$/.test(segment) ? segment + idEnd : segment
}

const idInEnded = (segment: string): string =>
  idInSegment(segment.endsWith(idEnd) ? segment.slice(0, -idEnd.length) : segment)

/**
 * Options for path parameters that contain an id that a client has chosen. Such an id can be `..`, which browsers would
 * resolve as a path segment, or end in a space.
 */
const idParams = <Name extends string>(...names: ReadonlyArray<Name>) => {
  const mapped =
    (convert: (text: string) => string) =>
    (params: Record<Name, string>): Record<Name, string> => {
      const converted = { ...params }
      for (const name of names) converted[name] = convert(params[name])
      return converted
    }
  return { parse: mapped(idInEnded), stringify: mapped(endedSegment) }
}

interface RouterContext {
  readonly queries: QueryClient
  /** Settled when a sign-in link in the address has been used. */
  readonly signIn: Promise<void>
}

const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context }) => context.signIn,
  notFoundComponent: PageNotFound,
})

/** Returns the workspace that was opened last, or otherwise the oldest that the session may use. */
const firstWorkspace = async (): Promise<string> => {
  const last = lastWorkspace()
  const { items } = await api.workspaces.list({ limit: 1000, order: "asc" })
  const known = items.map(({ environment_id }) => String(environment_id))
  return (last !== null && known.includes(last) ? last : known[0]) ?? "1"
}

const firstPage = createRoute({
  getParentRoute: () => root,
  path: "/",
  loader: async () => {
    const w = await firstWorkspace()
    const { items: entries } = await api.activity.list(w, { limit: 1 })
    throw redirect({ to: entries.length === 0 ? "/w/$w/start" : "/w/$w/home", params: { w } })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazily(async () => (await import("./session/SignInPage.tsx")).SignInPage),
  validateSearch: signInSearch,
})

const PaletteActionDialog = lazily(
  async () => (await import("./pages/actions/PaletteActionDialog.tsx")).PaletteActionDialog,
)

const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$w",
  beforeLoad: async ({ context: { queries }, location }) => {
    const session = sessionIn(await queries.fetchQuery(sessionQuery))
    if (session === undefined) throw redirect({ ...signInFrom(location), replace: true })
    return { session }
  },
  component: () => <Frame ActionDialog={PaletteActionDialog} />,
  notFoundComponent: PageNotFound,
})

const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/w/$w/home", params })
  },
})

const start = createRoute({
  getParentRoute: () => workspace,
  path: "/start",
  component: lazily(async () => (await import("./pages/start/StartPage.tsx")).StartPage),
})

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/home",
  component: lazily(async () => (await import("./pages/home/HomePage.tsx")).HomePage),
})

const live = createRoute({
  getParentRoute: () => workspace,
  path: "/live",
  validateSearch: activitySearch,
  component: lazily(async () => (await import("./pages/live/LivePage.tsx")).LivePage),
})
const liveOperation = createRoute({
  getParentRoute: () => live,
  path: "/$operationId",
  component: lazily(async () => (await import("./pages/operation/OperationPanel.tsx")).OperationPanel),
})
const operation = createRoute({
  getParentRoute: () => workspace,
  path: "/operations/$operationId",
  component: lazily(async () => (await import("./pages/operation/OperationPage.tsx")).OperationPage),
})

const errors = createRoute({
  getParentRoute: () => workspace,
  path: "/errors",
  validateSearch: errorsSearch,
  component: lazily(async () => (await import("./pages/errors/ErrorsPage.tsx")).ErrorsPage),
})
const cause = createRoute({
  getParentRoute: () => errors,
  path: "/$causeId",
  component: lazily(async () => (await import("./pages/errors/CausePanel.tsx")).CausePanel),
})

const events = createRoute({
  getParentRoute: () => workspace,
  path: "/events",
  validateSearch: eventsSearch,
  component: lazily(async () => (await import("./pages/events/EventsPage.tsx")).EventsPage),
})
const eventType = createRoute({
  getParentRoute: () => events,
  path: "/$kind/$name",
  params: idParams("kind", "name"),
  component: lazily(async () => (await import("./pages/events/EventTypePanel.tsx")).EventTypePanel),
})

const people = createRoute({
  getParentRoute: () => workspace,
  path: "/people",
  validateSearch: peopleSearch,
  component: lazily(async () => (await import("./pages/people/PeoplePage.tsx")).PeoplePage),
})
const person = createRoute({
  getParentRoute: () => people,
  path: "/$personId",
  component: lazily(async () => (await import("./pages/people/PersonPanel.tsx")).PersonPanel),
})

const objects = createRoute({
  getParentRoute: () => workspace,
  path: "/objects",
  validateSearch: objectSearch,
  component: lazily(async () => (await import("./pages/objects/ObjectsPage.tsx")).ObjectsPage),
})
const object = createRoute({
  getParentRoute: () => objects,
  path: "/$objectTypeId/$objectId",
  params: idParams("objectTypeId", "objectId"),
  component: lazily(async () => (await import("./pages/objects/ObjectPanel.tsx")).ObjectPanel),
})

const segments = createRoute({
  getParentRoute: () => workspace,
  path: "/segments",
  validateSearch: segmentsSearch,
  component: lazily(async () => (await import("./pages/segments/SegmentsPage.tsx")).SegmentsPage),
})
const segment = createRoute({
  getParentRoute: () => segments,
  path: "/$segmentId",
  component: lazily(async () => (await import("./pages/segments/SegmentPanel.tsx")).SegmentPanel),
})
const newSegment = createRoute({
  getParentRoute: () => workspace,
  path: "/segments/new",
  validateSearch: newSegmentSearch,
  component: lazily(async () => (await import("./pages/segments/NewSegmentPage.tsx")).NewSegmentPage),
})
const editSegment = createRoute({
  getParentRoute: () => workspace,
  path: "/segments/$segmentId/edit",
  component: lazily(async () => (await import("./pages/segments/EditSegmentPage.tsx")).EditSegmentPage),
})

const forms = createRoute({
  getParentRoute: () => workspace,
  path: "/forms",
  validateSearch: listSearch,
  component: lazily(async () => (await import("./pages/forms/FormsPage.tsx")).FormsPage),
})
const form = createRoute({
  getParentRoute: () => forms,
  path: "/$formId",
  params: idParams("formId"),
  component: lazily(async () => (await import("./pages/forms/FormPanel.tsx")).FormPanel),
})

const deliveries = createRoute({
  getParentRoute: () => workspace,
  path: "/deliveries",
  validateSearch: listSearch,
  component: lazily(async () => (await import("./pages/deliveries/DeliveriesPage.tsx")).DeliveriesPage),
})
const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: "/$deliveryId",
  params: idParams("deliveryId"),
  component: lazily(async () => (await import("./pages/deliveries/DeliveryPanel.tsx")).DeliveryPanel),
})

const imports = createRoute({
  getParentRoute: () => workspace,
  path: "/imports",
  component: lazily(async () => (await import("./pages/imports/ImportsPage.tsx")).ImportsPage),
})

const destinations = createRoute({
  getParentRoute: () => workspace,
  path: "/destinations",
  component: lazily(async () => (await import("./pages/destinations/DestinationsPage.tsx")).DestinationsPage),
})
const forward = createRoute({
  getParentRoute: () => destinations,
  path: "/$forwardId",
  component: lazily(async () => (await import("./pages/destinations/ForwardPanel.tsx")).ForwardPanel),
})

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks",
  component: lazily(async () => (await import("./pages/webhooks/WebhooksPage.tsx")).WebhooksPage),
})
const webhook = createRoute({
  getParentRoute: () => webhooks,
  path: "/$webhookId",
  component: lazily(async () => (await import("./pages/webhooks/WebhookPanel.tsx")).WebhookPanel),
})

const tokens = createRoute({
  getParentRoute: () => workspace,
  path: "/tokens",
  component: lazily(async () => (await import("./pages/tokens/TokensPage.tsx")).TokensPage),
})

const sessions = createRoute({
  getParentRoute: () => workspace,
  path: "/sessions",
  component: lazily(async () => (await import("./pages/sessions/SessionsPage.tsx")).SessionsPage),
})

const audit = createRoute({
  getParentRoute: () => workspace,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazily(async () => (await import("./pages/audit/AuditPage.tsx")).AuditPage),
})

const lake = createRoute({
  getParentRoute: () => workspace,
  path: "/lake",
  component: lazily(async () => (await import("./pages/lake/LakePage.tsx")).LakePage),
})

const duplicates = createRoute({
  getParentRoute: () => workspace,
  path: "/duplicates",
  component: lazily(async () => (await import("./pages/duplicates/DuplicatesPage.tsx")).DuplicatesPage),
})

const erasures = createRoute({
  getParentRoute: () => workspace,
  path: "/erasures",
  component: lazily(async () => (await import("./pages/erasures/ErasuresPage.tsx")).ErasuresPage),
})
const erasure = createRoute({
  getParentRoute: () => erasures,
  path: "/$erasureId",
  component: lazily(async () => (await import("./pages/erasures/ErasurePanel.tsx")).ErasurePanel),
})

const keys = createRoute({
  getParentRoute: () => workspace,
  path: "/keys",
  validateSearch: keySearch,
  component: lazily(async () => (await import("./pages/keys/KeysPage.tsx")).KeysPage),
})

const key = createRoute({
  getParentRoute: () => keys,
  path: "/$keyId",
  component: lazily(async () => (await import("./pages/keys/KeyPanel.tsx")).KeyPanel),
})

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazily(async () => (await import("./pages/settings/SettingsPage.tsx")).SettingsPage),
})

const health = createRoute({
  getParentRoute: () => workspace,
  path: "/health",
  component: lazily(async () => (await import("./pages/health/HealthPage.tsx")).HealthPage),
})

const routeTree = root.addChildren([
  firstPage,
  signIn,
  workspace.addChildren([
    workspaceHome,
    start,
    home,
    live.addChildren([liveOperation]),
    operation,
    errors.addChildren([cause]),
    events.addChildren([eventType]),
    people.addChildren([person]),
    objects.addChildren([object]),
    segments.addChildren([segment]),
    newSegment,
    editSegment,
    forms.addChildren([form]),
    deliveries.addChildren([delivery]),
    imports,
    destinations.addChildren([forward]),
    webhooks.addChildren([webhook]),
    lake,
    duplicates,
    erasures.addChildren([erasure]),
    keys.addChildren([key]),
    tokens,
    sessions,
    audit,
    settings,
    health,
  ]),
])

/** Creates the router. No page loads before the promise `signIn` is settled. */
export const makeRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    basepath: "/console",
    context,
    parseSearch,
    stringifySearch,
    defaultErrorComponent: LoadFailed,
    defaultPreload: "intent",
    scrollRestoration: false,
  })

type ConsoleRouter = ReturnType<typeof makeRouter>

declare module "@tanstack/react-router" {
  interface Register {
    router: ConsoleRouter
  }
}
