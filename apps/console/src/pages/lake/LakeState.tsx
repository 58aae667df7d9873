import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Code } from "../../shared/values/Code.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { byteSize, count, counted } from "../../shared/values/figures.ts"

type LakeDocument = Awaited<ReturnType<typeof api.lake.get>>

interface LakeStateProps {
  readonly w: string
  readonly lake: LakeDocument
}

/** How far a lake has come, and SQL that reads it. */
export const LakeState = ({ lake, w }: LakeStateProps) => (
  <div className="shrink-0 space-y-3 border-b border-line px-4 pb-3">
    <Facts
      facts={[
        ["Where", lake.url === null ? null : <CopyId id={lake.url} key="url" label="address of the lake" />],
        ["Written", writtenText(lake)],
        [
          "People and objects",
          lake.snapshot_to === null ? "not written yet" : `as of position ${lake.snapshot_to}`,
        ],
        [
          "Files",
          `${count(lake.files)} with ${counted(lake.rows, "operation", "operations")}, ${byteSize(lake.bytes)}`,
        ],
        [
          "Erasures due",
          lake.erasures_due === 0
            ? "none"
            : `${counted(lake.erasures_due, "deletion is", "deletions are")} still to leave the files, by ${lake.erasures_due_by?.slice(0, "2026-12-06".length)}`,
        ],
        ["Written by", lake.writing ? "this node" : "another node"],
        [
          "Failure",
          lake.failure === null ? null : (
            <span className="text-red" key="failure">
              {lake.failure}
            </span>
          ),
        ],
      ]}
    />
    <Statements lake={lake} w={w} />
  </div>
)

const writtenText = ({ lag, lag_seconds, to }: LakeDocument): string => {
  const waits = `${counted(lag, "operation waits", "operations wait")}, for ${counted(lag_seconds, "second", "seconds")} so far`
  if (to === null) return lag === 0 ? "nothing yet" : `nothing yet, ${waits}`
  return lag === 0 ? `everything, up to position ${to}` : `up to position ${to}, ${waits}`
}

const engines = {
  duckdb: "DuckDB",
  "duckdb-iceberg": "DuckDB with Iceberg",
  clickhouse: "ClickHouse",
} as const
type Engine = keyof typeof engines

const isEngine = (name: string): name is Engine => Object.hasOwn(engines, name)

/** SQL for an engine, once it is asked for. */
const Statements = ({ lake: { files }, w }: LakeStateProps) => {
  const [engine, setEngine] = useState<Engine>()
  const sql = useQuery({
    // Not below the lake, which is read again after it is stopped: then there is no SQL for it.
    queryKey: [w, "lake sql", engine, files],
    queryFn: ({ signal }) => api.lake.sql(w, { engine: engine ?? "duckdb" }, signal),
    enabled: engine !== undefined,
  })
  return (
    <div className="space-y-2">
      <label className="flex flex-wrap items-center gap-2 text-sm">
        Read it with
        <span className="w-48">
          <select
            className={inputStyle}
            onChange={({ target: { value } }) => setEngine(isEngine(value) ? value : undefined)}
            value={engine ?? ""}
          >
            <option value="">Choose an engine</option>
            {Object.entries(engines).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </span>
      </label>
      <ActionError error={sql.error} />
      {engine === undefined || sql.data === undefined ? null : (
        <div className="max-h-64 overflow-y-auto">
          <Code label={`SQL for ${engines[engine]}`} text={sql.data.statements} />
        </div>
      )}
    </div>
  )
}
