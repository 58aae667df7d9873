import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { PersonPicker } from "../../shared/fields/PersonPicker.tsx"
import { personName } from "../../shared/values/personName.ts"
import { Why } from "./Why.tsx"

interface WhyAnybodyProps {
  readonly w: string
  readonly segmentId: string
}

/** Answers for anybody why they are in a segment by rule, or not. The address names the person. */
export const WhyAnybody = ({ segmentId, w }: WhyAnybodyProps) => {
  const navigate = useNavigate()
  const search = useSearch({ from: "/w/$w/segments" })
  const { why } = search
  const person = useQuery({
    queryKey: [w, "people", "why", why],
    queryFn: ({ signal }) => api.people.get(w, why ?? "", {}, signal),
    enabled: why !== undefined,
  })
  const isIn = person.data?.segments.some((segment) => String(segment) === segmentId) === true
  return (
    <Section title="Why somebody is in it, or not">
      <PersonPicker
        isPart
        label="Why is this person in it, or not"
        onPick={({ svc_id }) => void navigate({ to: ".", search: { ...search, why: svc_id }, replace: true })}
        w={w}
      />
      <ActionError error={person.error} />
      {why === undefined || person.data === undefined ? null : (
        <>
          <p className="py-2 text-sm">
            <Link className="text-accent underline" params={{ w, personId: why }} to="/w/$w/people/$personId">
              {personName(person.data)}
            </Link>{" "}
            is {isIn ? "" : "not "}in this segment:
          </p>
          <Why personId={why} segmentId={segmentId} w={w} />
        </>
      )}
    </Section>
  )
}
