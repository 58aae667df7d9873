import { useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/Detail.tsx"

/** The panel of one item of the list. */
export const WebhookPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { webhookId } = useParams({ from: "/w/$w/webhooks/$webhookId" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/webhooks", params: { w } })} title={webhookId}>
      <p className="p-4 text-sm text-muted">This page is being built.</p>
    </Detail>
  )
}
