import { calledName } from "@inlethq/contract/people/calledName"
import type { PersonThenDocument } from "@inlethq/contract/people/People"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { personName } from "../../shared/values/personName.ts"
import { ExactTime } from "../../shared/time/Time.tsx"
import { peopleListSearch } from "../../shared/values/search.ts"
import { Attributes } from "./Attributes.tsx"
import { Devices, Relationships } from "./Holdings.tsx"
import { PersonActions } from "./PersonActions.tsx"
import { PersonActivity } from "./PersonActivity.tsx"
import { PersonHistory } from "./PersonHistory.tsx"
import { PersonMerges } from "./PersonMerges.tsx"
import { PersonSegments } from "./PersonSegments.tsx"
import { PersonDeliveries } from "./PersonDeliveries.tsx"

/** One person: identifiers, attributes, activity, and what an operator can do. */
export const PersonPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { personId } = useParams({ from: "/w/$w/people/$personId" })
  const search = useSearch({ from: "/w/$w/people" })
  const close = (): void =>
    void navigate({ to: "/w/$w/people", params: { w }, search: peopleListSearch(search) })
  const person = useQuery({
    queryKey: [w, "people", "one", personId],
    queryFn: ({ signal }) => api.people.get(w, personId, {}, signal),
  })
  return (
    <Detail
      actions={person.data === undefined ? null : <PersonActions onGone={close} person={person.data} w={w} />}
      onClose={close}
      title={person.data === undefined ? personId : personName(person.data)}
    >
      {person.error === null ? null : (
        <ApiProblem
          onRetry={() => void person.refetch()}
          problem={person.error}
          what="The person could not be loaded."
        />
      )}
      {person.isPending ? <Loading /> : null}
      {person.data === undefined ? null : (
        <>
          <Identity person={person.data} />
          <Attributes person={person.data} w={w} />
          <PersonHistory person={person.data} w={w} />
          <PersonActivity personId={personId} w={w} />
          <PersonMerges personId={personId} w={w} />
          <Devices person={person.data} />
          <Relationships person={person.data} w={w} />
          <PersonDeliveries personId={personId} w={w} />
          <PersonSegments personId={personId} w={w} />
          <Section title="JSON">
            <JsonView label="The person as JSON" value={person.data} />
          </Section>
        </>
      )}
    </Detail>
  )
}

interface IdentityProps {
  readonly person: PersonThenDocument
}

const Identity = ({ person }: IdentityProps) => (
  <Section title="Person">
    <Facts
      facts={[
        ["Name", calledName(person.attributes)],
        ["id", person.id === null ? null : <CopyId id={person.id} key="id" label="id" />],
        ["email", person.email === null ? null : <CopyId id={person.email} key="email" label="email" />],
        ["svc_id", <CopyId id={person.svc_id} key="svc" label="svc_id" />],
        [
          "Anonymous ids",
          person.anonymous_ids.length === 0
            ? null
            : person.anonymous_ids.map((id) => (
                <div key={id}>
                  <CopyId id={id} label="anonymous id" />
                </div>
              )),
        ],
        ["Subscription", person.unsubscribed ? "unsubscribed" : "subscribed"],
        ["Created", <ExactTime at={person.created_at} key="created" />],
        ["Updated", <ExactTime at={person.updated_at} key="updated" />],
        ["Last seen", person.last_seen && <LastSeen key="seen" seen={person.last_seen} />],
      ]}
    />
  </Section>
)

/** When somebody was last seen, and on which page, in which app, on which device and in which country. */
const LastSeen = ({ seen }: { readonly seen: NonNullable<PersonThenDocument["last_seen"]> }) => (
  <>
    <ExactTime at={seen.at} />
    {(["page", "app", "device", "country"] as const).map((key) =>
      seen[key] === null ? null : <div key={key}>{seen[key]}</div>,
    )}
  </>
)
