import { useParams } from "@tanstack/react-router"
import { ListPage } from "../../shared/ListPage.tsx"

/** The list of segments. */
export const SegmentsPage = () => {
  const { segmentId } = useParams({ strict: false })
  return (
    <ListPage isDetailOpen={segmentId !== undefined} title="Segments">
      <p className="px-4 text-sm text-muted">This page is being built.</p>
    </ListPage>
  )
}
