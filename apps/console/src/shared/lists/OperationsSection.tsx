import type { ReactNode } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { ApiProblem } from "../dialogs/ApiProblem.tsx"
import { Button } from "../buttons/Button.tsx"
import { Section } from "../dialogs/Detail.tsx"
import { OperationRows } from "./OperationRows.tsx"
import { SearchedBack } from "./SearchedBack.tsx"
import type { Pages } from "./usePages.ts"
import { useSearchOn } from "./useSearchOn.ts"

interface OperationsSectionProps {
  readonly w: string
  readonly pages: Pages<ActivityDocument>
  readonly title?: string
  /** The controls that filter the operations. */
  readonly actions?: ReactNode
}

/** The section of a detail panel that lists operations, newest first. */
export const OperationsSection = ({ actions, pages, title = "Activity", w }: OperationsSectionProps) => {
  const search = useSearchOn(pages, pages.items.length, pages.searchedTo !== null)
  return (
    <Section actions={actions} title={title}>
      {pages.problem === null ? null : (
        <ApiProblem onRetry={pages.reload} problem={pages.problem} what="The activity could not be loaded." />
      )}
      {pages.problem === null && pages.items.length === 0 && !pages.isLoading ? (
        <p className="text-sm text-muted">
          {pages.hasMore || pages.isCut ? "No operation was found so far." : "No operations."}
        </p>
      ) : (
        <OperationRows entries={pages.items} w={w} />
      )}
      {search.isSearching ? (
        <div className="-mx-4">
          <SearchedBack isSearching onContinue={undefined} onStop={search.stop} to={pages.searchedTo} />
        </div>
      ) : null}
      {pages.hasMore && !search.isSearching ? (
        <Button className="mt-2" disabled={pages.isLoadingMore} onClick={search.goOn}>
          Show older operations
        </Button>
      ) : null}
    </Section>
  )
}
