import { useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/Detail.tsx"

/** The panel of one item of the list. */
export const SegmentPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { segmentId } = useParams({ from: "/w/$w/segments/$segmentId" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/segments", params: { w } })} title={segmentId}>
      <p className="p-4 text-sm text-muted">This page is being built.</p>
    </Detail>
  )
}
