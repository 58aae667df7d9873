import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ActivityChart } from "../live/ActivityChart.tsx"
import { Answers } from "./Answers.tsx"
import { HistoryCharts, historyQuery } from "./HistoryCharts.tsx"
import { Lags } from "./Lags.tsx"
import { Nodes } from "./Nodes.tsx"
import { Readings } from "./Readings.tsx"
import { RefusedCalls } from "./RefusedCalls.tsx"
import { Reasons, reasonsQuery } from "./Reasons.tsx"

/** The time, in milliseconds, between two reads of the state of the server. */
const statusEveryMs = 2_000

/** The time, in milliseconds, between two reads of the list of nodes and of Kafka's delay. */
const serverEveryMs = 10_000

/** Reads the state of the server again and again, if the session may read it. */
const useServerState = (enabled: boolean) => {
  const status = useQuery({
    queryKey: ["status"],
    queryFn: ({ signal }) => api.server.status(signal),
    enabled,
    refetchInterval: statusEveryMs,
  })
  const server = useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => api.server.get(signal),
    enabled,
    refetchInterval: serverEveryMs,
  })
  return { server, status }
}

/** The page that shows the state and the throughput of the server, each figure with its normal range. */
export const HealthPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const refusal = useRefusal("server.status")
  const enabled = refusal === undefined
  const { server, status } = useServerState(enabled)
  const parts = [useQuery({ ...historyQuery, enabled }), useQuery(reasonsQuery(w)), server, status]
  // A part that arrives later would move what is below it. One that failed and is read again leaves the others shown.
  const [isShown, setShown] = useState(false)
  if (!isShown && parts.every(({ isLoading }) => !isLoading)) setShown(true)
  return (
    <div aria-label="Health" className="h-full overflow-y-auto" role="region" tabIndex={0}>
      <PageTitle title="Health" />
      {status.error === null ? null : (
        <ApiProblem
          onRetry={() => void status.refetch()}
          problem={status.error}
          what="The state of the server could not be read."
        />
      )}
      <div className="pb-12">
        <ActivityChart
          onPeriod={(period) =>
            void navigate({ to: "/w/$w/live", params: { w }, search: period === undefined ? {} : period })
          }
          period={undefined}
          w={w}
        />
        {enabled ? null : (
          <p className="px-4 py-3 text-sm text-muted">
            The state of the server is about all workspaces. {refusal}
          </p>
        )}
        {isShown ? <HealthParts server={server} status={status} /> : <Loading />}
      </div>
    </div>
  )
}

/** What is known of the server, and why operations of the workspace were not applied in full. */
const HealthParts = ({ server, status }: ReturnType<typeof useServerState>) => (
  <>
    {status.data === undefined ? null : (
      <>
        <h2 className="sr-only">State of the server</h2>
        <HistoryCharts />
      </>
    )}
    <div className="max-w-4xl gap-x-8 xl:grid xl:max-w-none xl:grid-cols-2">
      <div className="min-w-0">
        <Reasons />
        {server.data === undefined ? null : <RefusedCalls calls={server.data.refused_calls} />}
        {status.data === undefined ? null : <Lags kafka={server.data?.kafka} status={status.data} />}
      </div>
      <div className="min-w-0">
        {status.data === undefined ? null : (
          <>
            <Readings status={status.data} />
            <Answers answers={status.data.recent.answers} />
          </>
        )}
        {server.error === null ? null : (
          <ApiProblem
            onRetry={() => void server.refetch()}
            problem={server.error}
            what="The nodes could not be loaded."
          />
        )}
        {server.data === undefined ? null : (
          <Nodes areAllKnown={!server.data.unanswered.includes("nodes")} nodes={server.data.nodes} />
        )}
      </div>
    </div>
  </>
)
