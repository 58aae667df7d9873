import { objectThen } from "@inlethq/log/documents/objectThen"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { PersonText } from "../../shared/values/PersonText.tsx"

interface SubjectLinkProps {
  readonly entry: Pick<ActivityDocument, "data" | "kind" | "sequence" | "subject">
}

const style = "inline-flex max-w-full items-center gap-1.5 text-sm text-accent hover:underline"

/** Links to the person, object or segment that an operation is about, and to an object as it was then. */
export const SubjectLink = ({ entry }: SubjectLinkProps) => (
  <div className="flex flex-wrap gap-x-4 gap-y-1">
    {entry.kind === "object_delete" ? null : <PresentLink entry={entry} />}
    <PastObjectLink entry={entry} />
  </div>
)

/** A link to an object as it was after the operation, or before the operation deleted it. */
const PastObjectLink = ({ entry }: SubjectLinkProps) => {
  const w = useWorkspace()
  const { kind, sequence } = entry
  const { object_id: objectId, object_type_id: objectTypeId } = objectThen(entry)
  if (objectId === null || objectTypeId === null) return null
  const position = String(kind === "object_delete" ? sequence - 1 : sequence)
  return (
    <Link
      className={style}
      params={{ w, objectTypeId, objectId }}
      search={{ position }}
      to="/w/$w/objects/$objectTypeId/$objectId"
    >
      <Icon name="objects" />
      <span className="truncate">
        Object {objectTypeId}/{objectId} as it was
      </span>
    </Link>
  )
}

/** A link to the person, object or segment that an operation is about. */
const PresentLink = ({ entry: { subject } }: SubjectLinkProps) => {
  const w = useWorkspace()
  const { object_id: objectId, object_type_id: objectTypeId, svc_id: personId } = subject
  if (objectId !== null && objectTypeId !== null) {
    return (
      <Link
        className={style}
        params={{ w, objectTypeId, objectId }}
        to="/w/$w/objects/$objectTypeId/$objectId"
      >
        <Icon name="objects" />
        <span className="truncate">
          Open object {objectTypeId}/{objectId}
        </span>
      </Link>
    )
  }
  if (personId === null && subject.segment !== undefined) {
    const segmentId = String(subject.segment.segment_id)
    return (
      <Link className={style} params={{ w, segmentId }} to="/w/$w/segments/$segmentId">
        <Icon name="segments" />
        <span className="truncate">Open segment {subject.segment.name}</span>
      </Link>
    )
  }
  if (personId === null) return null
  return (
    <Link className={style} params={{ w, personId }} to="/w/$w/people/$personId">
      <Icon name="people" />
      <span className="truncate">
        Open <PersonText person={subject} />
      </span>
    </Link>
  )
}
