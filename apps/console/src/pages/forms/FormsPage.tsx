import { useParams } from "@tanstack/react-router"
import { ListPage } from "../../shared/ListPage.tsx"

/** The list of forms. */
export const FormsPage = () => {
  const { formId } = useParams({ strict: false })
  return (
    <ListPage isDetailOpen={formId !== undefined} title="Forms">
      <p className="px-4 text-sm text-muted">This page is being built.</p>
    </ListPage>
  )
}
