import { Outlet } from "@tanstack/react-router"
import type { ReactNode } from "react"

interface ListPageProps {
  readonly title: string
  /** Buttons at the end of the title line. */
  readonly actions?: ReactNode
  /** The filter line or other controls above the list. */
  readonly controls?: ReactNode
  /**
   * True if the address of the page names an item. The child route then shows a panel with the item beside the list.
   */
  readonly isDetailOpen: boolean
  readonly children: ReactNode
}

/** A list, and the detail of one item beside it. On a narrow screen the detail covers the list. */
export const ListPage = ({ actions, children, controls, isDetailOpen, title }: ListPageProps) => (
  <div className="relative flex h-full min-h-0">
    <section
      aria-label={title}
      className={`min-h-0 min-w-0 flex-1 flex-col ${isDetailOpen ? "hidden lg:flex" : "flex"}`}
    >
      <PageTitle actions={actions} title={title} />
      {controls === undefined ? null : <div className="px-4 pb-3">{controls}</div>}
      {children}
    </section>
    {isDetailOpen ? (
      <>
        {/* On a narrow screen the list and its heading are hidden. */}
        <h1 className="sr-only lg:hidden">{title}</h1>
        <Outlet />
      </>
    ) : null}
  </div>
)

interface RefusedPageProps {
  readonly title: string
  readonly refusal: string
}

/** Shown in place of a page that the session may not see. */
export const RefusedPage = ({ refusal, title }: RefusedPageProps) => (
  <section aria-label={title} className="flex h-full min-h-0 flex-col">
    <PageTitle title={title} />
    <p className="px-4 text-sm text-muted">{refusal}</p>
  </section>
)

interface PageTitleProps {
  readonly title: string
  readonly actions?: ReactNode
}

/** The heading of a page, with actions at its end. */
export const PageTitle = ({ actions, title }: PageTitleProps) => (
  <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 px-4 py-2 pointer-coarse:min-h-15">
    <title>{`${title} · Inlet`}</title>
    <h1 className="mr-auto min-w-20 truncate text-lg font-semibold">{title}</h1>
    {actions}
  </header>
)
