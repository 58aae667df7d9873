import type { StatsDocument } from "@inlethq/contract/activity/Stats"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { FixedPeriod } from "../../shared/time/period.ts"
import { wallTime, type Zone } from "../../shared/time/zone.ts"
import { countsByGroup, outcomeGroups, stacked, withVisibleProblems } from "./outcomeGroups.ts"

const height = 80

/** The height of the times below the bars. */
const axisHeight = 20

/** A drag over fewer pixels counts as a click. */
const dragPxMin = 4

/** The height in pixels that a bar of rejected or partial operations has at least. */
const problemPxMin = 3

/** The distance between two lines of a hatched area, in pixels. */
const hatchPx = 8

/** Periods of at least this many seconds have dates below their bars, instead of times of day. */
const datesFromSeconds = 2 * 86_400

interface OutcomeBarsOptions {
  /** Called with the period that the operator has chosen: that of the bars under a drag, or of the clicked bar. */
  readonly onPeriod: (period: FixedPeriod) => void
  /** Called with the bar under the pointer and the middle of the bar in pixels, or with null if there is none. */
  readonly onPoint: (bar: PointedBar | null) => void
}

export interface PointedBar {
  readonly step: number
  readonly left: number
}

/** Bars of operations by outcome, with a brush that chooses a period. */
export class OutcomeBars {
  private readonly plot: uPlot
  private readonly options: OutcomeBarsOptions
  private stepSeconds = 60
  private countedFrom = 0
  private zone: Zone = "local"

  constructor(element: HTMLElement, options: OutcomeBarsOptions) {
    this.options = options
    this.plot = new uPlot(
      this.plotOptions(element.clientWidth),
      [[], ...outcomeGroups.map(() => [])],
      element,
    )
    this.plot.over.addEventListener("click", this.onClick)
  }

  show(stats: StatsDocument, width: number, zone: Zone): void {
    this.zone = zone
    this.stepSeconds = stats.step_seconds
    this.countedFrom = Date.parse(stats.counted_from) / 1000
    const times = stats.steps.map(({ at }) => Date.parse(at) / 1000)
    const counts = withVisibleProblems(countsByGroup(stats), problemPxMin / (height - axisHeight))
    this.plot.batch(() => {
      if (width !== this.plot.width) this.plot.setSize({ width, height })
      // The bars overlap. The bar of the top group of outcomes is drawn first, and the bars of the groups below then
      // cover its lower part.
      this.plot.setData([times, ...stacked(counts).toReversed()])
    })
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  }

  destroy(): void {
    this.plot.destroy()
  }

  private readonly onClick = (event: MouseEvent): void => {
    if (this.plot.select.width >= dragPxMin) return
    const start = this.timeOf(this.stepAt(event.offsetX))
    this.options.onPeriod({ from: isoTime(start), to: isoTime(start + this.stepSeconds) })
  }

  private readonly onSelect = ({ select }: uPlot): void => {
    if (select.width < dragPxMin) return
    const first = this.timeOf(this.stepAt(select.left))
    const last = this.timeOf(this.stepAt(select.left + select.width))
    this.options.onPeriod({ from: isoTime(first), to: isoTime(last + this.stepSeconds) })
  }

  /** Hatches what was not counted, so that it does not look as if nothing had happened. */
  private readonly onClear = ({ bbox, ctx, valToPos }: uPlot): void => {
    const end = Math.min(bbox.left + bbox.width, valToPos(this.countedFrom, "x", true))
    if (this.plot?.data[0].length === 0 || !(end > bbox.left)) return
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, end - bbox.left, bbox.height)
    ctx.clip()
    ctx.strokeStyle = colour("--line")
    ctx.lineWidth = 1
    ctx.beginPath()
    for (let x = bbox.left - bbox.height; x < end; x += hatchPx) {
      ctx.moveTo(x, bbox.top + bbox.height)
      ctx.lineTo(x + bbox.height, bbox.top)
    }
    ctx.stroke()
    ctx.restore()
  }

  private readonly onCursor = ({ cursor: { left = -1 } }: uPlot): void => {
    if (left < 0 || this.plot.data[0].length === 0) return this.options.onPoint(null)
    const step = this.stepAt(left)
    const middle = this.timeOf(step) + this.stepSeconds / 2
    this.options.onPoint({ step, left: this.plot.over.offsetLeft + this.plot.valToPos(middle, "x") })
  }

  /** Returns the number of the bar at a horizontal position, so that a chosen period consists of whole bars. */
  private stepAt(left: number): number {
    const steps = Math.floor((this.plot.posToVal(left, "x") - this.timeOf(0)) / this.stepSeconds)
    return Math.min(this.plot.data[0].length - 1, Math.max(0, steps))
  }

  /** Returns the start of a bar in seconds. */
  private timeOf(step: number): number {
    return (this.plot.data[0][0] ?? 0) + step * this.stepSeconds
  }

  private readonly timesBelow = (_: uPlot, times: Array<number>): Array<string> => {
    const isLong = this.plot.data[0].length * this.stepSeconds >= datesFromSeconds
    const [start, end] = isLong ? [5, 10] : [11, 16]
    return times.map((time) => wallTime(time * 1000, this.zone).slice(start, end))
  }

  private plotOptions(width: number): uPlot.Options {
    const barsOfStep = uPlot.paths.bars?.({ size: [0.8, 24], align: 1 })
    return {
      width,
      height,
      padding: [4, 16, 0, 16],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: { time: true, range: (_, min, max) => [min, max + this.stepSeconds] },
        y: { range: (_, __, max) => [0, Math.max(1, max)] },
      },
      axes: [
        {
          stroke: () => colour("--ink-faint"),
          grid: { show: false },
          ticks: { show: false },
          size: axisHeight,
          gap: 2,
          font: "11px system-ui, sans-serif",
          values: this.timesBelow,
        },
        { show: false },
      ],
      series: [
        {},
        ...outcomeGroups.toReversed().map(({ colour: name }) => ({
          fill: () => colour(name),
          width: 0,
          points: { show: false },
          ...(barsOfStep === undefined ? {} : { paths: barsOfStep }),
        })),
      ],
      hooks: { drawClear: [this.onClear], setSelect: [this.onSelect], setCursor: [this.onCursor] },
    }
  }
}

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const probe = document.createElement("span")

/**
 * Returns the value of a design token. A canvas does not understand `light-dark()`, so the browser computes the
 * colour of an element.
 */
const colour = (token: string): string => {
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
