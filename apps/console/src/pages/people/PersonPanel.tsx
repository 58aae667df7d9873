import { useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/Detail.tsx"

/** The panel of one item of the list. */
export const PersonPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { personId } = useParams({ from: "/w/$w/people/$personId" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/people", params: { w } })} title={personId}>
      <p className="p-4 text-sm text-muted">This page is being built.</p>
    </Detail>
  )
}
