import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { ConfirmDialog } from "../../shared/dialogs/ConfirmDialog.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { VerifyDialog } from "./VerifyDialog.tsx"

interface LakeActionsProps {
  readonly w: string
  /** Why the session may not stop the lake. Undefined if it may. */
  readonly refusal: string | undefined
}

type Asked = "verify" | "rewrite" | "stop"

/** Checks a lake, takes deleted people out of it at once, and ends it. */
export const LakeActions = ({ refusal, w }: LakeActionsProps) => {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const close = (): void => setAsked(undefined)
  const reload = () => queries.invalidateQueries({ queryKey: [w, "lake"] })
  const rewrite = useMutation({
    mutationFn: () => api.lake.rewrite(w),
    onSuccess: async () => {
      notify("The files with rows of deleted people are being written again.")
      await reload()
    },
  })
  return (
    <>
      <Button onClick={() => setAsked("verify")} refusal={useRefusal("lake.verify")}>
        Verify
      </Button>
      <Button onClick={() => setAsked("rewrite")} refusal={useRefusal("lake.rewrite")}>
        Erase now
      </Button>
      <Button onClick={() => setAsked("stop")} refusal={refusal} tone="danger">
        Stop
      </Button>
      {asked === "verify" ? <VerifyDialog onClose={close} w={w} /> : null}
      {asked === "rewrite" ? (
        <ConfirmDialog
          action="Erase now"
          onClose={close}
          onConfirm={() => rewrite.mutateAsync()}
          title="Take deleted people out of the files now"
        >
          The files that still have rows of deleted people are written again without them, and the old files
          are removed. Without this, it happens within the days that the settings of the lake say.
        </ConfirmDialog>
      ) : null}
      {asked === "stop" ? (
        <ConfirmDialog
          action="Stop the lake"
          onClose={close}
          onConfirm={async () => {
            await api.workspaces.update(w, { lake: null })
            await reload()
          }}
          title="Stop the lake"
        >
          No more files are written, and Inlet forgets those that it wrote. They stay where they are, and
          people who are deleted later do not leave them. A lake that is started again begins anew.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
