import { Link } from "@tanstack/react-router"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { Section } from "../../shared/Detail.tsx"
import { counted } from "../../shared/figures.ts"
import { Time } from "../../shared/Time.tsx"
import { usePages } from "../../shared/usePages.ts"
import { linkStyle, rowStyle } from "./Holdings.tsx"
import { reportedDeliveries } from "./reportedDeliveries.ts"

/** The number of reports that are loaded at a time. */
const pageItems = 100

const filter = "kind:delivery_metric"

interface PersonDeliveriesProps {
  readonly w: string
  readonly personId: string
}

/** The messages to a person, with the newest report of each. A message without a report is not listed. */
export const PersonDeliveries = ({ personId, w }: PersonDeliveriesProps) => {
  const pages = usePages([w, "people", "one", personId, "deliveries"], (after, signal) =>
    api.people.activity(w, personId, { filter, after, limit: pageItems }, signal),
  )
  const deliveries = reportedDeliveries(pages.items)
  if (deliveries.length === 0) return null
  return (
    <Section title="Deliveries">
      <ul className="-mx-4">
        {deliveries.map(({ deliveryId, report, reportedAt }) => (
          <li className={rowStyle} key={deliveryId}>
            <Link className={linkStyle} params={{ w, deliveryId }} to="/w/$w/deliveries/$deliveryId">
              {deliveryId}
            </Link>
            <span className="truncate text-muted">{report}</span>
            <span className="text-muted">
              <Time at={reportedAt} />
            </span>
          </li>
        ))}
      </ul>
      <p className="pt-2 text-xs text-muted">
        From the newest {counted(pages.items.length, "report", "reports")} about the person. Reports are
        stored for 30 days.
      </p>
      {pages.hasMore ? (
        <Button className="mt-2" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          Show older deliveries
        </Button>
      ) : null}
    </Section>
  )
}
