import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { ApiProblem } from "../dialogs/ApiProblem.tsx"
import { Button } from "../buttons/Button.tsx"
import { PersonText } from "../values/PersonText.tsx"
import type { Pages } from "./usePages.ts"

interface ListedPerson {
  /** Null for a visitor, who is not a person yet. */
  readonly svc_id: string | null
  readonly id: string | null
  readonly email: string | null
  readonly anonymous_id?: string | null
  readonly name?: string | null
}

interface PeopleRowsProps<Person extends ListedPerson> {
  readonly w: string
  readonly pages: Pages<Person>
  /** The text that is shown instead of the list if there are no people. */
  readonly empty: string
  /** Buttons at the end of a row. */
  readonly actions?: (person: Person) => ReactNode
}

/** People in a panel. A click on a row opens the person. */
export const PeopleRows = <Person extends ListedPerson>({
  actions,
  empty,
  pages,
  w,
}: PeopleRowsProps<Person>) => {
  if (pages.problem !== null)
    return <ApiProblem problem={pages.problem} what="The people could not be loaded." />
  if (pages.items.length === 0 && !pages.isLoading && !pages.hasMore) {
    return <p className="text-sm text-muted">{empty}</p>
  }
  return (
    <>
      <ul className="-mx-4">
        {pages.items.map((person) => (
          <li
            className="flex min-h-8 items-center gap-3 border-t border-line px-4 text-sm"
            key={person.svc_id ?? person.anonymous_id}
          >
            {person.svc_id === null ? (
              <span className="min-w-0 flex-1 truncate">Visitor {person.anonymous_id}</span>
            ) : (
              <Link
                className="min-w-0 flex-1 truncate text-accent hover:underline"
                params={{ w, personId: person.svc_id }}
                to="/w/$w/people/$personId"
              >
                <PersonText person={person} />
              </Link>
            )}
            <span className="font-mono text-xs text-faint">{person.svc_id}</span>
            {actions?.(person)}
          </li>
        ))}
      </ul>
      {pages.hasMore ? (
        <Button className="mt-2" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          Show more people
        </Button>
      ) : null}
    </>
  )
}
