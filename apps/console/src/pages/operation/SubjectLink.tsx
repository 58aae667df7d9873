import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { PersonText } from "../../shared/values/PersonText.tsx"

interface SubjectLinkProps {
  readonly subject: ActivityDocument["subject"]
}

const style = "inline-flex max-w-full items-center gap-1.5 text-sm text-accent hover:underline"

/** A link to the person, object or segment that an operation is about. */
export const SubjectLink = ({ subject }: SubjectLinkProps) => {
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
