import { useParams } from "@tanstack/react-router"
import { ListPage } from "../../shared/ListPage.tsx"

/** The list of deliveries. */
export const DeliveriesPage = () => {
  const { deliveryId } = useParams({ strict: false })
  return (
    <ListPage isDetailOpen={deliveryId !== undefined} title="Deliveries">
      <p className="px-4 text-sm text-muted">This page is being built.</p>
    </ListPage>
  )
}
