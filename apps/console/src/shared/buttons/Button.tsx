import type { ComponentProps } from "react"
import { useRefused } from "./useRefused.tsx"
import { useCopying } from "./copying.ts"
import { Icon, type IconName } from "./Icon.tsx"

const base =
  "inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md px-3 text-sm font-medium whitespace-nowrap transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 pointer-coarse:h-11"

const tones = {
  plain: "border border-line bg-raised hover:bg-hover",
  primary: "bg-accent-solid text-accent-ink hover:opacity-90",
  danger: "border border-line bg-raised text-red hover:bg-red-soft",
  quiet: "text-muted hover:bg-hover hover:text-ink",
} as const

interface ButtonProps extends ComponentProps<"button"> {
  readonly tone?: keyof typeof tones
  readonly icon?: IconName
  /** Why the session may not do what the button does. Undefined if it may. */
  readonly refusal?: string | undefined
}

/** A button with a label. If the session may not do what it does, it stays in place and says why. */
export const Button = (props: ButtonProps) => {
  const { children, className = "", icon, refusal, tone = "plain", ...rest } = props
  const [refused, note] = useRefused(refusal)
  return (
    <>
      <button className={`${base} ${tones[tone]} ${className}`} type="button" {...rest} {...refused}>
        {icon === undefined ? null : <Icon name={icon} />}
        {children}
      </button>
      {note}
    </>
  )
}

interface IconButtonProps extends ComponentProps<"button"> {
  readonly icon: IconName
  /** The name of the action, which screen readers read and which is shown on hover. */
  readonly label: string
  readonly refusal?: string | undefined
}

/** A button that shows an icon only. */
export const IconButton = ({ className = "", icon, label, refusal, ...rest }: IconButtonProps) => {
  const [refused, note] = useRefused(refusal)
  return (
    <>
      <button
        aria-label={label}
        className={`inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 pointer-coarse:size-11 ${className}`}
        title={label}
        type="button"
        {...rest}
        {...refused}
      >
        <Icon name={icon} />
      </button>
      {note}
    </>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly label: string
}

/** A button that copies a text and then shows that the text was copied. */
export const CopyButton = ({ label, text }: CopyButtonProps) => {
  const [isCopied, copy] = useCopying(text)
  return (
    <Button icon={isCopied ? "check" : "copy"} onClick={copy}>
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
    </Button>
  )
}

/** An icon button that copies a text and then shows a check mark. */
export const CopyIconButton = ({ label, text }: CopyButtonProps) => {
  const [isCopied, copy] = useCopying(text)
  return (
    <>
      <IconButton icon={isCopied ? "check" : "copy"} label={label} onClick={copy} />
      <span aria-live="polite" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  )
}
