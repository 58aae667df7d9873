import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { count } from "../../shared/values/figures.ts"
import { CreateForwardDialog } from "./CreateForwardDialog.tsx"
import { DayPicture } from "./DayPicture.tsx"
import { DestinationState, stateOf } from "./DestinationState.tsx"
import { kindText, nameText, oldestText, placeText, waitingOf } from "./destinationTexts.ts"
import { dayText } from "./hourBars.ts"

/** The interval, in milliseconds, at which the list is read again. */
const refreshMs = 5_000

const columns: ReadonlyArray<Column<DestinationDocument>> = [
  { key: "name", header: "Name", width: "minmax(96px, 2fr)", text: nameText },
  { key: "kind", header: "Kind", width: "80px", showFrom: 480, text: ({ kind }) => kindText[kind] },
  {
    key: "state",
    header: "State",
    width: "88px",
    text: stateOf,
    cell: (destination) => <DestinationState of={destination} />,
  },
  { key: "waiting", header: "Waiting", width: "64px", align: "end", text: (one) => count(waitingOf(one)) },
  { key: "oldest", header: "For", width: "64px", align: "end", text: oldestText },
  {
    key: "day",
    header: "Last day",
    width: "160px",
    showFrom: 640,
    text: ({ hours }) => dayText(hours),
    cell: ({ hours }) => <DayPicture hours={hours} />,
  },
  {
    key: "error",
    header: "Last error",
    width: "minmax(112px, 2fr)",
    showFrom: 760,
    text: ({ last_error }) => last_error ?? "",
    cell: ({ last_error }) => <span className="text-red">{last_error}</span>,
  },
  {
    key: "url",
    header: "Where",
    width: "minmax(112px, 2fr)",
    showFrom: 960,
    text: placeText,
    cell: (one) => <span className="font-mono text-xs text-muted">{placeText(one)}</span>,
  },
]

/** Everything that leaves the workspace by itself: its webhooks, its forwards, Kafka and the lake. */
export const DestinationsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { forwardId } = useParams({ strict: false })
  const [isCreating, setCreating] = useState(false)
  const refusal = useRefusal("forwards.create")
  const pages = usePages(
    [w, "destinations"],
    (after, signal, limit) => api.destinations.list(w, { after, limit }, signal),
    refreshMs,
  )
  const open = ({ destination_id: id, kind }: Pick<DestinationDocument, "destination_id" | "kind">): void => {
    switch (kind) {
      case "webhook":
        return void navigate({ to: "/w/$w/webhooks/$webhookId", params: { w, webhookId: id ?? "" } })
      case "forward":
        return void navigate({ to: "/w/$w/destinations/$forwardId", params: { w, forwardId: id ?? "" } })
      case "kafka":
        return void navigate({ to: "/w/$w/settings", params: { w } })
      case "lake":
        return void navigate({ to: "/w/$w/lake", params: { w } })
    }
  }
  return (
    <CollectionPage
      actions={
        <Button icon="created" onClick={() => setCreating(true)} refusal={refusal} tone="primary">
          Create forward
        </Button>
      }
      columns={columns}
      empty={
        <EmptyState
          example="inlet forwards create --name hosted --kind track-v2 --to https://track.customer.io/api --key SITE_ID:API_KEY"
          title="No destinations yet"
        >
          What arrives can go on to another service with a forward, to a server of yours with a webhook, to
          Kafka, and into the files of a lake. All of them are listed here.
        </EmptyState>
      }
      onOpen={open}
      openKey={forwardId === undefined ? undefined : `forward ${forwardId}`}
      pages={pages}
      rowKey={({ destination_id: id, kind }) => (id === null ? kind : `${kind} ${id}`)}
      title="Destinations"
    >
      {isCreating ? (
        <CreateForwardDialog
          onClose={() => setCreating(false)}
          onCreated={(id) => open({ kind: "forward", destination_id: id })}
          w={w}
        />
      ) : null}
    </CollectionPage>
  )
}
