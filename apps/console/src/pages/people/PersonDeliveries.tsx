import { Link } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { counted } from "../../shared/values/figures.ts"
import { Time } from "../../shared/time/Time.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { linkStyle, rowStyle } from "./Holdings.tsx"
import { reportedDeliveries } from "./reportedDeliveries.ts"

/** The number of reports that are loaded at a time. */
const pageItems = 100

const filter = "kind:delivery_metric"

interface PersonDeliveriesProps {
  readonly w: string
  readonly personId: string
}

/**
 * The deliveries to a person with the newest report of each. The management API cannot list the deliveries of a person,
 * so the list is made from reports in the activity log. A note says that deliveries without a stored report are
 * missing.
 */
export const PersonDeliveries = ({ personId, w }: PersonDeliveriesProps) => {
  const pages = usePages([w, "people", "one", personId, "deliveries"], (after, signal) =>
    api.people.activity(w, personId, { filter, after, limit: pageItems }, signal),
  )
  const deliveries = reportedDeliveries(pages.items)
  return (
    <Section title="Deliveries">
      {pages.problem === null ? null : (
        <ApiProblem
          onRetry={pages.reload}
          problem={pages.problem}
          what="The deliveries could not be loaded."
        />
      )}
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
      {pages.problem !== null || pages.isLoading ? null : (
        <div className={pages.items.length === 0 ? "text-sm text-muted" : "pt-2 text-xs text-muted"}>
          <p>
            {pages.items.length === 0
              ? pages.hasMore
                ? "No report about a message to this person was found so far."
                : "No report about a message to this person."
              : `From the newest ${counted(pages.items.length, "report", "reports")} about this person.`}
          </p>
          <p>
            Reports are stored for 30 days. Messages without a report are only in the{" "}
            <Link className="text-accent underline" params={{ w }} to="/w/$w/deliveries">
              list of deliveries
            </Link>
            .
          </p>
        </div>
      )}
      {pages.hasMore ? (
        <Button className="mt-2" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          Show older deliveries
        </Button>
      ) : null}
    </Section>
  )
}
