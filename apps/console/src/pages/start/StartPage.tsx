import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState, type ReactNode } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { FirstEvent } from "./FirstEvent.tsx"
import { PointYourClient } from "./PointYourClient.tsx"
import { SnippetChooser } from "./SnippetChooser.tsx"

/** The text in place of the write key in snippets, until a key has been created. */
const placeholder = "YOUR_WRITE_KEY"

/** The name of the key that the page creates. */
const keyName = "Start page"

/** Shows how to send the first event, and shows the event as soon as it arrives. */
export const StartPage = () => {
  const w = useWorkspace()
  const [writeKey, setWriteKey] = useState<string>()
  return (
    <div aria-label="Start" className="h-full overflow-y-auto" role="region" tabIndex={0}>
      <PageTitle title="Send your first event" />
      <ol className="max-w-4xl space-y-8 px-4 pt-2 pb-12">
        <Step number={1} title="Send">
          <WriteKey onKey={setWriteKey} writeKey={writeKey} />
          <SnippetChooser writeKey={writeKey ?? placeholder} />
        </Step>
        <Step number={2} title="See">
          <FirstEvent key={w} />
        </Step>
        <Step number={3} title="Point your real client at Inlet">
          <PointYourClient />
        </Step>
      </ol>
    </div>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly children: ReactNode
}

const Step = ({ children, number, title }: StepProps) => (
  <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3">
    <span
      aria-hidden="true"
      className="flex size-6 items-center justify-center rounded-full bg-hover text-xs font-semibold text-muted"
    >
      {number}
    </span>
    <div className="space-y-3">
      <h2 className="text-base leading-6 font-semibold">{title}</h2>
      {children}
    </div>
  </li>
)

interface WriteKeyProps {
  readonly writeKey: string | undefined
  readonly onKey: (writeKey: string) => void
}

const WriteKey = ({ onKey, writeKey }: WriteKeyProps) => {
  const w = useWorkspace()
  const refusal = useRefusal("keys.create")
  const create = useMutation({
    mutationFn: () => api.keys.create(w, { kind: "pipelines", name: keyName, expires_at: null }),
    onSuccess: (key) => {
      if (key.kind === "pipelines") onKey(key.write_key)
    },
  })
  if (writeKey !== undefined) {
    return (
      <p className="text-sm text-muted">
        The key <CopyId id={writeKey} label="write key" /> is in every example below. Copy it now if you want
        to keep it, because Inlet stores only a digest of it. Revoke it under{" "}
        <Link className="text-accent hover:underline" params={{ w }} to="/w/$w/keys">
          Keys
        </Link>
        .
      </p>
    )
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={create.isPending}
          icon="keys"
          onClick={() => create.mutate()}
          refusal={refusal}
          tone="primary"
        >
          Create a key for the examples
        </Button>
        <p className="min-w-48 flex-1 text-sm text-muted">
          The key is filled in below and shown only now. You can also use a key that you already have.
        </p>
      </div>
      {create.error === null ? null : (
        <ApiProblem problem={create.error} what="The key could not be created." />
      )}
    </>
  )
}
