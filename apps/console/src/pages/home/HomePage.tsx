import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { byWeight, DriftRows } from "../../shared/lists/DriftRows.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { ActivityChart } from "../live/ActivityChart.tsx"
import { Days } from "./Days.tsx"
import { Delays } from "./Delays.tsx"
import { NewCauses } from "./NewCauses.tsx"
import { NewClients } from "./NewClients.tsx"
import { useHome } from "./useHome.ts"
import { Verdict } from "./Verdict.tsx"

/** The most rows of a list on this page. The pages that they lead to have all of them. */
const rowsMax = 6

/** What became of the last day: a verdict, and what changed since the day before. */
export const HomePage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { clients, facts, isLoading, isServerRefused, unread } = useHome(w)
  const { causes = [], day, drift = [] } = facts
  const isEmpty = day?.now.total === 0 && day.before?.total === 0 && causes.length === 0 && drift.length === 0
  return (
    <div aria-label="Home" className="h-full overflow-y-auto" role="region" tabIndex={0}>
      <PageTitle title="Home" />
      {isLoading ? (
        <Loading />
      ) : (
        <div className="pb-12">
          <Verdict facts={facts} unread={unread} w={w} />
          <div className="border-b border-line pb-3">
            <ActivityChart
              onPeriod={(period) => void navigate({ to: "/w/$w/live", params: { w }, search: period })}
              period={undefined}
              w={w}
            />
          </div>
          {isEmpty ? (
            <EmptyState title="Nothing arrived in the last two days">
              Once clients send, this page says what became of their calls.{" "}
              <PageLink to="start" w={w}>
                Send a first event
              </PageLink>
              .
            </EmptyState>
          ) : (
            <div className="gap-x-8 xl:grid xl:grid-cols-2">
              <div className="min-w-0">
                {day === undefined ? null : <Days day={day} />}
                <NewCauses causes={causes} rowsMax={rowsMax} w={w} />
                <Delays facts={facts} isServerRefused={isServerRefused} w={w} />
              </div>
              <div className="min-w-0">
                <Section
                  actions={
                    <PageLink to="events" w={w}>
                      All events
                    </PageLink>
                  }
                  title="What changed in the events since yesterday"
                >
                  {drift.length === 0 ? (
                    <p className="text-sm text-muted">
                      Nothing: no name or path is new, no value has another type, and nothing fell silent.
                    </p>
                  ) : (
                    <DriftRows items={byWeight(drift).slice(0, rowsMax)} w={w} />
                  )}
                  {drift.length > rowsMax ? <More all={drift.length} shown={rowsMax} /> : null}
                </Section>
                <NewClients clients={clients} rowsMax={rowsMax} w={w} />
              </div>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

interface PageLinkProps {
  readonly w: string
  readonly to: "events" | "start"
  readonly children: ReactNode
}

const PageLink = ({ children, to, w }: PageLinkProps) => (
  <Link
    className="text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
    params={{ w }}
    to={`/w/$w/${to}`}
  >
    {children}
  </Link>
)

const More = ({ all, shown }: { readonly all: number; readonly shown: number }) => (
  <p className="pt-2 text-sm text-muted">
    {shown} of {all}.
  </p>
)
