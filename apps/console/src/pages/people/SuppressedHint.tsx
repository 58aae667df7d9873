import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { SuppressionDialog } from "./SuppressionDialog.tsx"

interface SuppressedHintProps {
  readonly w: string
  /** The text for which nobody was found. */
  readonly q: string
}

/** Says that nobody was found because the identifier is suppressed, and offers to change that. */
export const SuppressedHint = ({ q, w }: SuppressedHintProps) => {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal("activity.apply")
  const kind = q.includes("@") ? "email" : "id"
  const { data } = useQuery({
    queryKey: [w, "suppressions", kind, q],
    queryFn: ({ signal }) => api.suppressions.get(w, { [kind]: q }, signal),
    enabled: !/\s/.test(q),
  })
  if (data?.suppressed !== true) return null
  return (
    <>
      <p className="pb-2 text-ink" role="status">
        This {kind} is suppressed, so calls that name it are ignored.{" "}
        <Button onClick={() => setOpen(true)} refusal={refusal}>
          Unsuppress
        </Button>
      </p>
      {isOpen ? <SuppressionDialog first={{ kind, text: q }} onClose={() => setOpen(false)} w={w} /> : null}
    </>
  )
}
