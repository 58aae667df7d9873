import { useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/Detail.tsx"

/** The panel of one item of the list. */
export const ObjectPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { objectId } = useParams({ from: "/w/$w/objects/$objectTypeId/$objectId" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/objects", params: { w } })} title={objectId}>
      <p className="p-4 text-sm text-muted">This page is being built.</p>
    </Detail>
  )
}
