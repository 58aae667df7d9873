import { count } from "./figures.ts"
import { stepText, type TrendBars } from "./trendOf.ts"

interface TrendProps {
  readonly bars: TrendBars
  readonly className?: string
}

const height = 20

/** The least height of a bar that stands for something. */
const heightMin = 2

/** Small bars that show when something happened, and how often. */
export const Trend = ({ bars: { counts, stepMs }, className = "h-5 w-full" }: TrendProps) => {
  const highest = Math.max(0, ...counts)
  const label = `Highest ${count(highest)} in ${stepMs === 3_600_000 ? "an" : "a"} ${stepText(stepMs)}, ${count(counts.at(-1) ?? 0)} in the last`
  return (
    <svg
      aria-label={label}
      className={`block ${className}`}
      preserveAspectRatio="none"
      role="img"
      viewBox={`0 0 ${counts.length} ${height}`}
    >
      <title>{label}</title>
      {counts.map((value, index) => {
        const tall = value === 0 ? 1 : Math.max((value / highest) * height, heightMin)
        return (
          <rect
            className={value === 0 ? "fill-line" : "fill-accent"}
            height={tall}
            key={index}
            width={0.8}
            x={index}
            y={height - tall}
          />
        )
      })}
    </svg>
  )
}
