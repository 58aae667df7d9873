import { useParams } from "@tanstack/react-router"
import { ListPage } from "../../shared/ListPage.tsx"

/** The list of objects. */
export const ObjectsPage = () => {
  const { objectId } = useParams({ strict: false })
  return (
    <ListPage isDetailOpen={objectId !== undefined} title="Objects">
      <p className="px-4 text-sm text-muted">This page is being built.</p>
    </ListPage>
  )
}
