import { useParams } from "@tanstack/react-router"
import { ListPage } from "../../shared/ListPage.tsx"

/** The list of people. */
export const PeoplePage = () => {
  const { personId } = useParams({ strict: false })
  return (
    <ListPage isDetailOpen={personId !== undefined} title="People">
      <p className="px-4 text-sm text-muted">This page is being built.</p>
    </ListPage>
  )
}
