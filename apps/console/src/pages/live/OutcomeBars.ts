import type { StatsDocument } from "@inlet/api/management/Stats"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { countsByGroup, outcomeGroups, stacked } from "./outcomeGroups.ts"
import type { Period } from "../../shared/period.ts"

const height = 80

/** A drag over fewer pixels counts as a click. A click removes the chosen period. */
const dragPxMin = 4

/** Bars of operations by outcome, with a brush that chooses a period. */
export class OutcomeBars {
  private readonly plot: uPlot
  private readonly onPeriod: (period: Period | undefined) => void
  private stepSeconds = 60

  constructor(element: HTMLElement, onPeriod: (period: Period | undefined) => void) {
    this.onPeriod = onPeriod
    this.plot = new uPlot(this.options(element.clientWidth), [[], ...outcomeGroups.map(() => [])], element)
    this.plot.over.addEventListener("click", this.onClick)
  }

  show(stats: StatsDocument, width: number, period: Period | undefined): void {
    this.stepSeconds = stats.step_seconds
    const times = stats.steps.map(({ at }) => Date.parse(at) / 1000)
    // `select` needs the new scales of the chart. Without a batch, uPlot would compute them only after this method
    // returns.
    this.plot.batch(() => {
      if (width !== this.plot.width) this.plot.setSize({ width, height })
      // The bars overlap. The bar of the top group of outcomes is drawn first, and the bars of the groups below then
      // cover its lower part.
      this.plot.setData([times, ...stacked(countsByGroup(stats)).toReversed()])
    })
    this.select(period)
  }

  destroy(): void {
    this.plot.destroy()
  }

  private select(period: Period | undefined): void {
    const { clientHeight: height, clientWidth } = this.plot.over
    // The chart covers one hour. A period can begin before this hour or end after it, so positions are limited to the
    // chart.
    const positionOf = (time: string): number =>
      Math.min(Math.max(0, this.plot.valToPos(Date.parse(time) / 1000, "x")), clientWidth)
    const left = period === undefined ? 0 : positionOf(period.from)
    const right = period === undefined ? 0 : positionOf(period.to)
    this.plot.setSelect({ left, top: 0, width: right - left, height }, false)
  }

  private readonly onClick = (): void => {
    if (this.plot.select.width < dragPxMin) this.onPeriod(undefined)
  }

  private readonly onSelect = ({ select }: uPlot): void => {
    if (select.width < dragPxMin) return
    const first = this.stepAt(select.left)
    const last = this.stepAt(select.left + select.width)
    this.onPeriod({ from: isoTime(first), to: isoTime(last + this.stepSeconds) })
  }

  /**
   * Returns the start, in seconds, of the bar at a horizontal position, so that a chosen period consists of whole bars.
   */
  private stepAt(left: number): number {
    const [origin = 0] = this.plot.data[0]
    const steps = Math.floor((this.plot.posToVal(left, "x") - origin) / this.stepSeconds)
    return origin + Math.min(this.plot.data[0].length - 1, Math.max(0, steps)) * this.stepSeconds
  }

  private options(width: number): uPlot.Options {
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
          size: 20,
          gap: 2,
          font: "11px system-ui, sans-serif",
          values: (_, times) => times.map((time) => clock(time)),
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
      hooks: { setSelect: [this.onSelect] },
    }
  }
}

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const clock = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })

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
