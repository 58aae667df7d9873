import { useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/Detail.tsx"

/** The panel of one item of the list. */
export const DeliveryPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { deliveryId } = useParams({ from: "/w/$w/deliveries/$deliveryId" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/deliveries", params: { w } })} title={deliveryId}>
      <p className="p-4 text-sm text-muted">This page is being built.</p>
    </Detail>
  )
}
