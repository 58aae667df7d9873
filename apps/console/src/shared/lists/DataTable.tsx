import { useVirtualizer } from "@tanstack/react-virtual"
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react"
import { useShortcut } from "../fields/shortcuts.ts"
import type { NewTerm } from "../query/queryTerms.ts"
import { RowTerms, TermButton } from "./RowTerms.tsx"
import { useMedia, useWidth } from "./useSize.ts"

export interface Column<Row> {
  readonly key: string
  readonly header: string
  /** The width as a CSS grid track, such as "96px" or "minmax(120px, 2fr)". */
  readonly width: string
  /** The column is hidden while the table is narrower than this many pixels. */
  readonly showFrom?: number
  readonly align?: "end"
  /** True for a column that is only shown if it was chosen. */
  readonly isExtra?: boolean
  /** The condition of a query that holds for rows with the same value in this column. Null if the row has none. */
  readonly term?: (row: Row) => NewTerm | null
  /** What the column says about a row, as plain text: in a downloaded list, and in the table unless there is a `cell`. */
  readonly text: (row: Row) => string
  readonly cell?: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  /** The name of the table, for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly rowKey: (row: Row) => string
  /** The key of the row that is open in the detail panel. */
  readonly openKey?: string | undefined
  /** The key of the row that is current at first. */
  readonly startKey?: string | undefined
  readonly onOpen: (row: Row) => void
  /** Called with a condition when the operator asks for rows with the same value, or for others. */
  readonly onTerm?: ((term: NewTerm) => void) | undefined
  /** Called when the operator scrolls to the last rows. */
  readonly onEnd?: (() => void) | undefined
  /** Called with the distance from the top in pixels when the table is scrolled. */
  readonly onScrolled?: ((top: number) => void) | undefined
  readonly isLoading?: boolean
  /** Shown instead of rows if the table has no rows. */
  readonly empty: ReactNode
}

const rowHeight = 32
const touchRowHeight = 44

/** The height of the line with the names of the columns, which stays above the rows. */
const headerHeight = 32

/** The table asks for more rows when fewer than this many loaded rows are left below the visible rows. */
const endRows = 20

const skeletonRows = Array.from({ length: 12 }, (_, index) => index)

/**
 * A table that renders only the rows in view. `j` and `k` move to the next and the previous row, and Enter opens a row.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { columns, empty, isLoading = false, label, onScrolled, rows } = props
  const height = useMedia("(pointer: coarse)") ? touchRowHeight : rowHeight
  const [widthRef, width] = useWidth()
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const cursor = useCursor(props, scroller)
  const shown = columns.filter(({ showFrom = 0 }) => width >= showFrom)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
  })
  const visible = virtual.getVirtualItems()
  useLoadAtEnd(visible.at(-1)?.index, props)
  useEffect(() => virtual.measure(), [height, virtual])
  useEffect(() => {
    if (cursor.index >= 0) virtual.scrollToIndex(cursor.index)
  }, [cursor.index, cursor.moves, virtual])
  const template = { gridTemplateColumns: shown.map((column) => column.width).join(" ") }

  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col" ref={widthRef}>
      <div
        aria-activedescendant={cursor.index >= 0 ? `${id}-${cursor.index}` : undefined}
        aria-busy={isLoading}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="group/table min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain text-sm outline-offset-[-2px] [&[aria-activedescendant]]:outline-none"
        onKeyDown={cursor.onKeyDown}
        onScroll={(event) => onScrolled?.(event.currentTarget.scrollTop)}
        ref={scroller}
        role="grid"
        tabIndex={0}
      >
        <HeaderRow columns={shown} template={template} />
        {isLoading ? <Skeleton height={height} /> : null}
        {rows.length === 0 && !isLoading ? <EmptyRow>{empty}</EmptyRow> : null}
        <div className="relative" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {visible.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <TableRow
                columns={shown}
                id={`${id}-${item.index}`}
                index={item.index}
                isCursor={item.index === cursor.index}
                isOpen={props.rowKey(row) === props.openKey}
                key={props.rowKey(row)}
                onOpen={() => cursor.open(item.index)}
                onTerm={props.onTerm}
                row={row}
                style={{ ...template, height, transform: `translateY(${item.start - headerHeight}px)` }}
              />
            )
          })}
        </div>
      </div>
      {props.onTerm === undefined ? null : (
        <RowTerms onTerm={props.onTerm} termsOf={() => termsOfRow(columns, rows[cursor.index])} />
      )}
    </div>
  )
}

const termsOfRow = <Row,>(
  columns: ReadonlyArray<Column<Row>>,
  row: Row | undefined,
): ReadonlyArray<NewTerm> => (row === undefined ? [] : columns.flatMap(({ term }) => term?.(row) ?? []))

/**
 * Manages the current row, on which the keyboard acts. While the detail panel is open, moving to another row opens that
 * row. Moving also focuses the table, because Enter would otherwise press a focused button instead of opening the row.
 */
const useCursor = <Row,>(
  { onOpen, openKey, rowKey, rows, startKey }: DataTableProps<Row>,
  table: RefObject<HTMLElement | null>,
) => {
  const [cursorKey, setCursorKey] = useState(startKey)
  const [moves, setMoves] = useState(0)
  // If the address of the page names an open row, this row becomes the current row. It stays the current row after the
  // detail panel is closed.
  if (openKey !== undefined && openKey !== cursorKey) setCursorKey(openKey)
  const key = openKey ?? cursorKey
  const index = key === undefined ? -1 : rows.findIndex((row) => rowKey(row) === key)
  const open = (to: number): void => {
    const row = rows[to]
    if (row === undefined) return
    setCursorKey(rowKey(row))
    onOpen(row)
  }
  const moveTo = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row === undefined) return
    setCursorKey(rowKey(row))
    setMoves(moves + 1)
    table.current?.focus({ preventScroll: true })
    if (openKey !== undefined) onOpen(row)
  }
  useShortcut("j", "Next row", () => moveTo(index + 1))
  useShortcut("k", "Previous row", () => moveTo(index - 1))
  useShortcut("enter", "Open the row", () => open(index))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return
    if (event.key === "ArrowDown") moveTo(index + 1)
    else if (event.key === "ArrowUp") moveTo(index - 1)
    else if (event.key === "Home") moveTo(0)
    else if (event.key === "End") moveTo(rows.length - 1)
    else return
    event.preventDefault()
  }
  return { index, moves, open, onKeyDown }
}

const useLoadAtEnd = <Row,>(last: number | undefined, { onEnd, rows }: DataTableProps<Row>): void => {
  const isAtEnd = last !== undefined && last >= rows.length - endRows
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd, rows.length])
}

interface Template {
  readonly gridTemplateColumns: string
}

/** A number keeps its distance from a text that follows it. */
const endStyle = "text-right not-last:pr-4"

interface HeaderRowProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly template: Template
}

const HeaderRow = <Row,>({ columns, template }: HeaderRowProps<Row>) => (
  <div className="sticky top-0 z-10 bg-canvas" role="rowgroup">
    <div
      aria-rowindex={1}
      className="grid h-8 items-center gap-3 border-b border-line px-4 text-xs font-medium text-faint"
      role="row"
      style={template}
    >
      {columns.map(({ align, header, key }) => (
        <div className={`truncate ${align === "end" ? endStyle : ""}`} key={key} role="columnheader">
          {header}
        </div>
      ))}
    </div>
  </div>
)

interface TableRowProps<Row> {
  readonly row: Row
  readonly id: string
  readonly index: number
  readonly columns: ReadonlyArray<Column<Row>>
  readonly isOpen: boolean
  readonly isCursor: boolean
  readonly onOpen: () => void
  readonly onTerm: ((term: NewTerm) => void) | undefined
  readonly style: Template & { readonly height: number; readonly transform: string }
}

/** The outline of the row that the keyboard acts on, while the table has the focus. */
const cursorOutline =
  "group-focus-visible/table:outline-2 group-focus-visible/table:-outline-offset-2 group-focus-visible/table:outline-accent"

const TableRow = <Row,>(props: TableRowProps<Row>) => {
  const { columns, id, index, isCursor, isOpen, onOpen, onTerm, row, style } = props
  const { point, pointed } = usePointed(onTerm !== undefined)
  return (
    <div
      aria-rowindex={index + 2}
      aria-selected={isOpen || isCursor}
      className={`absolute top-0 left-0 grid w-full cursor-pointer items-center gap-3 border-b border-line px-4 ${isOpen ? "bg-selected" : isCursor ? "bg-hover" : "hover:bg-hover"} ${isCursor ? cursorOutline : ""}`}
      id={id}
      onClick={onOpen}
      onPointerLeave={(event) => point(event, undefined)}
      role="row"
      style={style}
    >
      {columns.map(({ align, cell, key, term, text }) => (
        <div
          className={`relative min-w-0 truncate ${align === "end" ? endStyle : ""}`}
          key={key}
          onPointerEnter={(event) => point(event, key)}
          role="gridcell"
        >
          {(cell ?? text)(row)}
          {onTerm === undefined || pointed !== key ? null : (
            <TermButton onTerm={onTerm} term={term?.(row) ?? null} />
          )}
        </div>
      ))}
    </div>
  )
}

/** The time, in milliseconds, for which the mouse rests on a cell before the cell has its button. */
const restMs = 300

/**
 * Returns the cell on which the mouse rests. Only this cell has a button, because a list has many cells, and a click that
 * comes at once opens the row wherever it hits it.
 */
const usePointed = (isWanted: boolean) => {
  const [pointed, setPointed] = useState<string>()
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(resting.current), [])
  const point = ({ pointerType }: PointerEvent, key: string | undefined): void => {
    if (!isWanted || pointerType !== "mouse") return
    clearTimeout(resting.current)
    setPointed(undefined)
    if (key !== undefined) resting.current = setTimeout(() => setPointed(key), restMs)
  }
  return { point, pointed }
}

const EmptyRow = ({ children }: { readonly children: ReactNode }) => (
  <div role="rowgroup">
    <div role="row">
      <div role="gridcell">{children}</div>
    </div>
  </div>
)

const Skeleton = ({ height }: { readonly height: number }) => (
  <div aria-hidden="true">
    {skeletonRows.map((index) => (
      <div className="flex items-center border-b border-line px-4" key={index} style={{ height }}>
        <div
          className="h-2 w-full rounded-sm bg-hover"
          style={{ maxWidth: `${30 + ((index * 37) % 50)}%` }}
        />
      </div>
    ))}
  </div>
)
