import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query"
import { notify } from "./notices.ts"

interface Change<Result, Given> {
  readonly call: (given: Given) => Promise<Result>
  /** The lists and documents that the change makes outdated: the beginning of their query keys. */
  readonly outdates: QueryKey
  /** What a notice says after the change. */
  readonly said?: (result: Result) => string
  /** What happens once everything shown is up to date, such as closing a dialog. */
  readonly onDone?: (result: Result) => void
}

/** A change that an operator makes. A `FormDialog` takes it as its action. */
export const useChange = <Result, Given = void>({ call, onDone, outdates, said }: Change<Result, Given>) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: async (result: Result) => {
      await queries.invalidateQueries({ queryKey: outdates })
      if (said !== undefined) notify(said(result))
      onDone?.(result)
    },
  })
}
