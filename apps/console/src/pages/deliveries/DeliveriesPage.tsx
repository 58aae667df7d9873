import type { DeliveryDocument } from "@inlet/api/management/Deliveries"
import { useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { DataTable, type Column } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { count } from "../../shared/figures.ts"
import { ListPage } from "../../shared/ListPage.tsx"
import { Time } from "../../shared/Time.tsx"
import { usePages } from "../../shared/usePages.ts"
import { lastMetric } from "./metrics.ts"

const reportsOf = (metric: "opened" | "clicked") => (delivery: DeliveryDocument) =>
  count(delivery.metrics[metric]?.count ?? 0)

const columns: ReadonlyArray<Column<DeliveryDocument>> = [
  {
    key: "id",
    header: "Delivery",
    width: "minmax(112px, 2fr)",
    cell: ({ delivery_id }) => <span className="font-mono text-xs">{delivery_id}</span>,
  },
  { key: "channel", header: "Channel", width: "80px", showFrom: 480, cell: ({ channel }) => channel },
  {
    key: "recipient",
    header: "Recipient",
    width: "minmax(112px, 2fr)",
    showFrom: 640,
    cell: (row) => row.recipient,
  },
  {
    key: "subject",
    header: "Subject",
    width: "minmax(112px, 2fr)",
    showFrom: 880,
    cell: (row) => row.subject,
  },
  { key: "last", header: "Last report", width: "96px", cell: (row) => lastMetric(row) ?? "none" },
  { key: "opened", header: "Opened", width: "64px", align: "end", showFrom: 720, cell: reportsOf("opened") },
  {
    key: "clicked",
    header: "Clicked",
    width: "64px",
    align: "end",
    showFrom: 720,
    cell: reportsOf("clicked"),
  },
  { key: "updated", header: "Updated", width: "96px", cell: ({ updated_at }) => <Time at={updated_at} /> },
]

/**
 * The page that lists deliveries, newest first. It includes deliveries that were only reported and never registered.
 */
export const DeliveriesPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { deliveryId } = useParams({ strict: false })
  const pages = usePages([w, "deliveries"], (after, signal) => api.deliveries.list(w, { after }, signal))
  return (
    <ListPage isDetailOpen={deliveryId !== undefined} title="Deliveries">
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            <EmptyState
              example={`curl -u SITE_ID:API_KEY ${location.origin}/api/v1/metrics -H 'content-type: application/json' -d '{"delivery_id":"d1","metric":"opened","timestamp":1790000000}'`}
              title="No deliveries yet"
            >
              A delivery is a message that was sent to a person. It appears here with its first report, such
              as “opened”, or when it is registered through the management API.
            </EmptyState>
          }
          isLoading={pages.isLoading}
          label="Deliveries"
          onEnd={pages.loadMore}
          onOpen={({ delivery_id }) =>
            void navigate({ to: "/w/$w/deliveries/$deliveryId", params: { w, deliveryId: delivery_id } })
          }
          openKey={deliveryId}
          rowKey={({ delivery_id }) => delivery_id}
          rows={pages.items}
        />
      ) : (
        <ApiProblem
          onRetry={pages.reload}
          problem={pages.problem}
          what="The deliveries could not be loaded."
        />
      )}
    </ListPage>
  )
}
