import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Detail } from "../../shared/dialogs/Detail.tsx"
import { OperationView } from "./OperationView.tsx"

/** The panel beside the list of operations that explains one operation. */
export const OperationPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { operationId } = useParams({ from: "/w/$w/live/$operationId" })
  const search = useSearch({ from: "/w/$w/live" })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/live", params: { w }, search })} title="Operation">
      <OperationView
        key={operationId}
        onNeighbour={(neighbour) =>
          void navigate({
            to: "/w/$w/live/$operationId",
            params: { w, operationId: neighbour },
            search,
          })
        }
        operationId={operationId}
      />
    </Detail>
  )
}
