import type { PlanDocument } from "@inlethq/contract/workspaces/Plans"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { PathCell } from "./PathCell.tsx"
import { conditionsOf, planRows } from "./planRows.ts"

/** The properties that a plan names, and its schema as JSON on demand. */
export const PlanTable = ({ plan: { schema } }: { readonly plan: PlanDocument }) => {
  const rows = planRows(schema)
  const ofAll = conditionsOf(schema)
  return (
    <div className="space-y-2">
      {rows.length === 0 ? (
        <p className="text-sm text-muted">The plan names no property.</p>
      ) : (
        <table className="w-full table-fixed text-left text-sm">
          <thead className="text-xs text-faint">
            <tr className="border-b border-line">
              <th className="w-1/3 py-1 pr-3 font-medium" scope="col">
                Path
              </th>
              <th className="w-1/4 py-1 pr-3 font-medium" scope="col">
                Type
              </th>
              <th className="py-1 font-medium" scope="col">
                Conditions
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ conditions, depth, isRequired, label, path, types }) => (
              <tr className="border-b border-line align-top" key={path}>
                <PathCell depth={depth} label={label} path={path} />
                <td className="py-1.5 pr-3 break-words">
                  {types === "" && conditions.length === 0 ? "any" : types}
                </td>
                <td className="py-1.5 break-words">
                  {[...(isRequired ? ["required"] : []), ...conditions].join("; ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {ofAll.length === 0 ? null : (
        <p className="text-xs text-muted">Of the data as a whole: {ofAll.join("; ")}.</p>
      )}
      <details className="text-sm">
        <summary className="cursor-pointer text-accent pointer-coarse:leading-11">Schema as JSON</summary>
        <div className="pt-2">
          <JsonView label="Schema of the plan" value={schema} />
        </div>
      </details>
    </div>
  )
}
