import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
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
import { CreateWebhookDialog } from "./CreateWebhookDialog.tsx"
import { stateOf, WebhookState } from "./WebhookState.tsx"

const columns: ReadonlyArray<Column<WebhookDocument>> = [
  {
    key: "name",
    header: "Name",
    width: "minmax(112px, 2fr)",
    text: ({ name, url }) => (name === "" ? url : name),
  },
  {
    key: "state",
    header: "State",
    width: "112px",
    text: stateOf,
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  { key: "kind", header: "Sends", width: "96px", showFrom: 560, text: ({ kind }) => kindText[kind] },
  {
    key: "url",
    header: "URL",
    width: "minmax(112px, 3fr)",
    showFrom: 720,
    text: ({ url }) => url,
    cell: ({ url }) => <span className="font-mono text-xs text-muted">{url}</span>,
  },
]

const kindText: Readonly<Record<WebhookDocument["kind"], string>> = {
  reporting: "Reports",
  activity: "Activity",
  types: "Changes",
  alerts: "Alerts",
}

/** The webhooks of the workspace, with their state. */
export const WebhooksPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { webhookId } = useParams({ strict: false })
  const [isCreating, setIsCreating] = useState(false)
  const refusal = useRefusal("webhooks.create")
  const pages = usePages([w, "webhooks"], (after, signal, limit) =>
    api.webhooks.list(w, { after, limit }, signal),
  )
  const open = (id: string): void =>
    void navigate({ to: "/w/$w/webhooks/$webhookId", params: { w, webhookId: id } })
  return (
    <CollectionPage
      actions={
        <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal} tone="primary">
          Create webhook
        </Button>
      }
      columns={columns}
      empty={
        <EmptyState
          example="inlet webhooks create --to https://example.com/hook --events email_opened,customer_unsubscribed"
          title="No webhooks yet"
        >
          A webhook sends events to a server of yours: reports about messages, such as “email opened”, or
          entries of the activity log.
        </EmptyState>
      }
      onOpen={({ webhook_id }) => open(webhook_id)}
      openKey={webhookId}
      pages={pages}
      rowKey={({ webhook_id }) => webhook_id}
      title="Webhooks"
    >
      {isCreating ? (
        <CreateWebhookDialog onClose={() => setIsCreating(false)} onCreated={open} w={w} />
      ) : null}
    </CollectionPage>
  )
}
