import type { DeliveryDocument } from "@inlethq/contract/objects/Deliveries"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { collectionKeys } from "../../api/collectionKeys.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { count } from "../../shared/values/figures.ts"
import { ListSearch } from "../../shared/fields/ListSearch.tsx"
import { searchedPage } from "../../shared/lists/searchedPage.ts"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { lastMetric } from "./metrics.ts"

const reportsOf = (metric: "opened" | "clicked") => ({
  text: (delivery: DeliveryDocument) => String(delivery.metrics[metric]?.count ?? 0),
  cell: (delivery: DeliveryDocument) => count(delivery.metrics[metric]?.count ?? 0),
})

const columns: ReadonlyArray<Column<DeliveryDocument>> = [
  {
    key: "id",
    header: "Delivery",
    width: "minmax(112px, 2fr)",
    text: ({ delivery_id }) => delivery_id,
    cell: ({ delivery_id }) => <span className="font-mono text-xs">{delivery_id}</span>,
  },
  { key: "channel", header: "Channel", width: "80px", showFrom: 480, text: ({ channel }) => channel ?? "" },
  {
    key: "recipient",
    header: "Recipient",
    width: "minmax(112px, 2fr)",
    showFrom: 640,
    text: ({ name, recipient }) => [name, recipient].filter((part) => part !== null).join(" "),
    cell: ({ name, recipient }) => (
      <>
        {name} <span className="text-muted">{recipient}</span>
      </>
    ),
  },
  {
    key: "subject",
    header: "Subject",
    width: "minmax(112px, 2fr)",
    showFrom: 880,
    text: ({ subject }) => subject ?? "",
  },
  { key: "last", header: "Last report", width: "96px", text: (row) => lastMetric(row) ?? "none" },
  { key: "opened", header: "Opened", width: "64px", align: "end", showFrom: 720, ...reportsOf("opened") },
  { key: "clicked", header: "Clicked", width: "64px", align: "end", showFrom: 720, ...reportsOf("clicked") },
  timeColumn({ key: "updated", header: "Updated", width: "96px" }, ({ updated_at }) => updated_at),
]

/**
 * The page that lists deliveries, newest first. It includes deliveries that were only reported and never registered.
 */
export const DeliveriesPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { deliveryId } = useParams({ strict: false })
  const { q } = useSearch({ from: "/w/$w/deliveries" })
  const pages = usePages(collectionKeys("deliveries").list(w, q), (after, signal, limit) =>
    q === undefined
      ? api.deliveries.list(w, { after, limit }, signal)
      : searchedPage(w, { kind: "delivery", q }, signal, ({ delivery_id }) =>
          api.deliveries.get(w, delivery_id, signal),
        ),
  )
  return (
    <CollectionPage
      columns={columns}
      controls={<ListSearch of="deliveries" placeholder="Start of a delivery id" q={q} />}
      empty={
        q !== undefined ? (
          <EmptyState title="No delivery found">
            No delivery has this id, or one that starts with it.
          </EmptyState>
        ) : (
          <EmptyState
            example={`curl -u SITE_ID:API_KEY ${location.origin}/api/v1/metrics -H 'content-type: application/json' -d '{"delivery_id":"d1","metric":"opened","timestamp":1790000000}'`}
            title="No deliveries yet"
          >
            A delivery is a message that was sent to a person. It appears here with its first report, such as
            “opened”, or when it is registered through the management API.
          </EmptyState>
        )
      }
      onOpen={({ delivery_id }) =>
        void navigate({
          to: "/w/$w/deliveries/$deliveryId",
          params: { w, deliveryId: delivery_id },
          search: q === undefined ? {} : { q },
        })
      }
      openKey={deliveryId}
      pages={pages}
      rowKey={({ delivery_id }) => delivery_id}
      title="Deliveries"
    />
  )
}
