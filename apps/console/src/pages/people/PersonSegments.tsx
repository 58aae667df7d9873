import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import type { PersonSegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { Why } from "../segments/Why.tsx"
import { linkStyle, rowStyle } from "./Holdings.tsx"

interface PersonSegmentsProps {
  readonly w: string
  readonly personId: string
}

/** The segments that a person is in, since when, and on request why. */
export const PersonSegments = ({ personId, w }: PersonSegmentsProps) => {
  const segments = useQuery({
    queryKey: [w, "people", "one", personId, "segments"],
    queryFn: ({ signal }) => api.segmentRules.ofPerson(w, personId, signal),
  })
  const items = segments.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section title="Segments">
      <ul className="-mx-4">
        {items.map((segment) => (
          <SegmentRow key={segment.segment_id} personId={personId} segment={segment} w={w} />
        ))}
      </ul>
    </Section>
  )
}

interface SegmentRowProps extends PersonSegmentsProps {
  readonly segment: PersonSegmentDocument
}

const SegmentRow = ({ personId, segment, w }: SegmentRowProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const segmentId = String(segment.segment_id)
  return (
    <>
      <li className={rowStyle}>
        <Link className={linkStyle} params={{ w, segmentId }} to="/w/$w/segments/$segmentId">
          {segment.name}
        </Link>
        <span className="text-muted">
          {segment.since === null ? "" : "since "}
          {segment.since === null ? null : <Time at={segment.since} />}
        </span>
        {segment.kind === "manual" ? (
          <span className="text-muted">by hand</span>
        ) : (
          <Button aria-controls={id} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} tone="quiet">
            Why
          </Button>
        )}
      </li>
      {isOpen ? (
        <li className="border-t border-line px-4 py-2" id={id}>
          <Why personId={personId} segmentId={segmentId} w={w} />
        </li>
      ) : null}
    </>
  )
}
