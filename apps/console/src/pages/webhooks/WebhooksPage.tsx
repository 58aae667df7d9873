import { useParams } from "@tanstack/react-router"
import { ListPage } from "../../shared/ListPage.tsx"

/** The list of webhooks. */
export const WebhooksPage = () => {
  const { webhookId } = useParams({ strict: false })
  return (
    <ListPage isDetailOpen={webhookId !== undefined} title="Webhooks">
      <p className="px-4 text-sm text-muted">This page is being built.</p>
    </ListPage>
  )
}
