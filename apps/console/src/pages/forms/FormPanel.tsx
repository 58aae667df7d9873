import { useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/Detail.tsx"

/** The panel of one item of the list. */
export const FormPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { formId } = useParams({ from: "/w/$w/forms/$formId" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/forms", params: { w } })} title={formId}>
      <p className="p-4 text-sm text-muted">This page is being built.</p>
    </Detail>
  )
}
