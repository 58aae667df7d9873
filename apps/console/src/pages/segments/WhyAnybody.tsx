import type { PersonDocument } from "@inlethq/contract/people/People"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"
import { PersonPicker } from "../../shared/fields/PersonPicker.tsx"
import { personName } from "../../shared/values/personName.ts"
import { Why } from "./Why.tsx"

interface WhyAnybodyProps {
  readonly w: string
  readonly segmentId: string
}

/** Answers for anybody why they are in a segment by rule, or not. */
export const WhyAnybody = ({ segmentId, w }: WhyAnybodyProps) => {
  const [person, setPerson] = useState<PersonDocument>()
  const [isPicking, setPicking] = useState(false)
  const isIn = person?.segments.some((segment) => String(segment) === segmentId) === true
  return (
    <Section
      actions={<Button onClick={() => setPicking(true)}>Choose a person</Button>}
      title="Why somebody is in it, or not"
    >
      {person === undefined ? (
        <p className="text-sm text-muted">
          Each condition of the rule is shown with what the log says about the person.
        </p>
      ) : (
        <>
          <p className="pb-2 text-sm">
            <Link
              className="text-accent underline"
              params={{ w, personId: person.svc_id }}
              to="/w/$w/people/$personId"
            >
              {personName(person)}
            </Link>{" "}
            is {isIn ? "" : "not "}in this segment:
          </p>
          <Why personId={person.svc_id} segmentId={segmentId} w={w} />
        </>
      )}
      {isPicking ? (
        <ModalDialog onClose={() => setPicking(false)} title="Why somebody is in this segment, or not">
          <PersonPicker
            label="Person"
            onPick={(picked) => {
              setPerson(picked)
              setPicking(false)
            }}
            w={w}
          />
        </ModalDialog>
      ) : null}
    </Section>
  )
}
