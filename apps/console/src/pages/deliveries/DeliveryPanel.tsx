import type { DeliveryDocument } from "@inlethq/contract/objects/Deliveries"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { collectionKeys } from "../../api/collectionKeys.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { counted } from "../../shared/values/figures.ts"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { PersonText } from "../../shared/values/PersonText.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { metricsOf } from "./metrics.ts"

/** One delivery with its recipient, its reports and the campaign that it came from. */
export const DeliveryPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { deliveryId } = useParams({ from: "/w/$w/deliveries/$deliveryId" })
  const search = useSearch({ from: "/w/$w/deliveries" })
  const delivery = useQuery({
    queryKey: collectionKeys("deliveries").one(w, deliveryId),
    queryFn: ({ signal }) => api.deliveries.get(w, deliveryId, signal),
  })
  return (
    <Detail
      onClose={() => void navigate({ to: "/w/$w/deliveries", params: { w }, search })}
      title={deliveryId}
    >
      {delivery.error === null ? null : (
        <ApiProblem
          onRetry={() => void delivery.refetch()}
          problem={delivery.error}
          what="The delivery could not be loaded."
        />
      )}
      {delivery.isPending ? <Loading /> : null}
      {delivery.data === undefined ? null : <DeliveryView delivery={delivery.data} w={w} />}
    </Detail>
  )
}

interface DeliveryViewProps {
  readonly delivery: DeliveryDocument
  readonly w: string
}

const DeliveryView = ({ delivery, w }: DeliveryViewProps) => {
  const metrics = metricsOf(delivery)
  const sources = Object.entries(delivery).filter(([name]) => name.endsWith("_id") && !shownIds.has(name))
  return (
    <>
      <Section title="Message">
        <Facts
          facts={[
            ["Delivery id", <CopyId id={delivery.delivery_id} key="id" label="delivery id" />],
            ["Channel", delivery.channel],
            ["Recipient", delivery.recipient],
            ["Subject", delivery.subject],
            [
              "Person",
              delivery.svc_id === null ? null : (
                <PersonLink delivery={delivery} key="person" personId={delivery.svc_id} w={w} />
              ),
            ],
            ["First seen", <ExactTime at={delivery.created_at} key="created" />],
            ["Updated", <ExactTime at={delivery.updated_at} key="updated" />],
          ]}
        />
      </Section>
      <Section title="Reports">
        {metrics.length === 0 ? (
          <p className="text-sm text-muted">No report has arrived for this delivery.</p>
        ) : (
          <Facts
            facts={metrics.map(({ count, firstAt, name }) => [
              name,
              <>
                <ExactTime at={firstAt} />{" "}
                <span className="text-muted">({counted(count, "report", "reports")})</span>
              </>,
            ])}
          />
        )}
      </Section>
      {sources.length === 0 ? null : (
        <Section title="Source of the message">
          <Facts
            facts={sources.map(([name, value]) => [
              name,
              <CopyId id={String(value)} key={name} label={name} />,
            ])}
          />
        </Section>
      )}
      <Section title="JSON">
        <JsonView label="The delivery as JSON" value={delivery} />
      </Section>
    </>
  )
}

/** Ids that the panel already shows elsewhere. */
const shownIds = new Set(["delivery_id", "svc_id"])

interface PersonLinkProps extends DeliveryViewProps {
  readonly personId: string
}

const PersonLink = ({ delivery: { name, svc_id }, personId, w }: PersonLinkProps) => (
  <Link className="text-accent hover:underline" params={{ w, personId }} to="/w/$w/people/$personId">
    <PersonText person={{ svc_id, id: null, email: null, name }} />
  </Link>
)
