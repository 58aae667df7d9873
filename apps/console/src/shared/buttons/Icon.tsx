/** The SVG paths of the icons, on a grid of 16 by 16. */
const outlines = {
  home: "M2 7.5 8 2.5l6 5M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4",
  live: "M1.5 8h3l2-5 3 10 2-5h3",
  errors: "M5.5 1.8h5l3.7 3.7v5l-3.7 3.7h-5l-3.7-3.7v-5zM8 5v3.5M8 10.8v.1",
  events: "M2.5 4h2M7 4h6.5M2.5 8h2M7 8h6.5M2.5 12h2M7 12h6.5",
  people:
    "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 2.8a2.4 2.4 0 0 1 0 4.4M12 9.8c1.5.4 2.5 1.7 2.5 3.7",
  objects: "M8 1.5 14 5v6l-6 3.5L2 11V5l6-3.5ZM2 5l6 3.5L14 5M8 8.5v6",
  segments: "M6 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10 13.5a4.5 4.5 0 1 0 0-9",
  forms: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3",
  deliveries: "M1.5 3.5h13v9h-13zM2 4l6 5 6-5",
  imports: "M8 1.5v8M5 6.5l3 3 3-3M2.5 11v2.5h11V11",
  destinations: "M1.5 8h4.5M10 3H14.5M10 8H14.5M10 13H14.5M6 8l4-5M6 8h4M6 8l4 5",
  webhooks: "M6 5.5a2 2 0 1 1 3 1.7l2 3.3M5.2 8.3 3.8 11a2 2 0 1 0 1.9 1.5h4.8M11 10.5a2 2 0 1 1-.5 2",
  lake: "M1.5 5c1.6 1.4 3.2 1.4 4.3 0 1.2 1.4 3.2 1.4 4.4 0 1.1 1.4 2.7 1.4 4.3 0M1.5 11c1.6 1.4 3.2 1.4 4.3 0 1.2 1.4 3.2 1.4 4.4 0 1.1 1.4 2.7 1.4 4.3 0",
  duplicates: "M2.5 2.5h7.5v7.5H2.5zM6 10v3.5h7.5V6H10",
  erasures: "M6.5 13.5 2 9l6.5-6.5L14 8l-5.5 5.5zM5.2 5.8l5.2 5.2M6.5 13.5H14",
  keys: "M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2 12v2h2.5v-1.5H6V11h1.5l1.4-2.2M11 5.4v.1",
  tokens: "M8 1.5l5.5 2v4c0 3.5-2.5 6-5.5 7-3-1-5.5-3.5-5.5-7v-4zM5.5 8l2 2 3.5-4",
  audit: "M3 2.5h7l3 3v8H3zM10 2.5v3h3M5.5 8.5h5M5.5 11h3",
  account: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.5 14c0-2.8 2.4-4.5 5.5-4.5s5.5 1.7 5.5 4.5",
  settings:
    "M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M10.8 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM5.2 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z",
  health: "M8 13.5S2 10 2 6a3 3 0 0 1 6-1 3 3 0 0 1 6 1c0 4-6 7.5-6 7.5Z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.5 10.5 14 14",
  filter: "M2 3.5h12L9.5 8.8v3.7l-3 1.2V8.8z",
  menu: "M2 4h12M2 8h12M2 12h12",
  close: "M4 4l8 8M12 4l-8 8",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  check: "M3 8.5 6.5 12 13 4.5",
  fold: "M2.5 2.5h11v11h-11zM6 2.5v11",
  light:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  dark: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  system: "M1.5 3h13v8h-13zM5.5 13.5h5",
  partial: "M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5v.1",
  pending: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.5l2 1.5",
  rejected: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6 6l4 4M10 6l-4 4",
  created: "M8 3v10M3 8h10",
  ignored: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4",
  dropped: "M3.5 8h9",
  up: "M8 13V3M4 7l4-4 4 4",
  next: "M6 3l5 5-5 5",
  previous: "M10 3 5 8l5 5",
  down: "M3 6l5 5 5-5",
  external: "M6.5 3.5h-4v10h10v-4M9.5 2.5h4v4M13.5 2.5 7.5 8.5",
  pause: "M5.5 3v10M10.5 3v10",
  start: "M4.5 2.5v11l9-5.5z",
  keyboard: "M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6",
} as const

export type IconName = keyof typeof outlines

interface IconProps {
  readonly name: IconName
  readonly className?: string
}

/**
 * An icon in the colour of the surrounding text. Screen readers skip icons, so every icon needs a word or a label next
 * to it.
 */
export const Icon = ({ className = "", name }: IconProps) => (
  <svg
    aria-hidden="true"
    className={`size-4 shrink-0 ${className}`}
    fill="none"
    stroke="currentColor"
    strokeLinecap="round"
    strokeLinejoin="round"
    strokeWidth="1.4"
    viewBox="0 0 16 16"
  >
    <path d={outlines[name]} />
  </svg>
)
