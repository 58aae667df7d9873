import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { OperationView } from "./OperationView.tsx"

/** Shows one operation as a page of its own, with a permanent address. */
export const OperationPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { operationId } = useParams({ from: "/w/$w/operations/$operationId" })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageTitle
        actions={
          <Link
            className="flex items-center gap-1 text-sm text-accent hover:underline"
            params={{ w }}
            to="/w/$w/live"
          >
            All operations
            <Icon className="size-3.5" name="next" />
          </Link>
        }
        title="Operation"
      />
      <div aria-label="Operation" className="min-h-0 flex-1 overflow-y-auto" role="region" tabIndex={0}>
        <div className="max-w-7xl">
          <h2 className="sr-only">Explanation</h2>
          <OperationView
            key={operationId}
            onNeighbour={(neighbour) =>
              void navigate({
                to: "/w/$w/operations/$operationId",
                params: { w, operationId: neighbour },
              })
            }
            isWide
            operationId={operationId}
          />
        </div>
      </div>
    </div>
  )
}
