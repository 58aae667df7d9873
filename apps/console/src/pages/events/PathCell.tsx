interface PathCellProps {
  readonly path: string
  /** The last key of the path. */
  readonly label: string
  readonly depth: number
}

/** The deepest path that is indented further than its parent. */
const indentMax = 6

/** The cell of a path in a table of paths, indented by its depth. */
export const PathCell = ({ depth, label, path }: PathCellProps) => (
  <th className="py-1.5 pr-3 font-normal" scope="row">
    <span
      className="block font-mono text-xs leading-5 break-words"
      style={{ paddingLeft: Math.min(depth, indentMax) * 12 }}
      title={path}
    >
      {label}
    </span>
  </th>
)
