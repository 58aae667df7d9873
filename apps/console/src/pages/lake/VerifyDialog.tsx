import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { byteSize, counted } from "../../shared/values/figures.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"

interface VerifyDialogProps {
  readonly w: string
  readonly onClose: () => void
}

type Verification = Awaited<ReturnType<typeof api.lake.verify>>

/** Reads all files of a lake again, and says what is wrong with them. */
export const VerifyDialog = ({ onClose, w }: VerifyDialogProps) => {
  const check = useQuery({
    queryKey: [w, "lake", "verification"],
    queryFn: ({ signal }) => verifyAll(w, signal),
    gcTime: 0,
    retry: false,
    staleTime: Infinity,
  })
  return (
    <ResultDialog onClose={onClose} title="Verify the lake">
      <ActionError error={check.error} />
      {check.isPending ? <Loading /> : null}
      {check.data === undefined ? null : (
        <div className="space-y-2 text-sm" role="status">
          <p>
            {counted(check.data.files, "file", "files")} with {counted(check.data.rows, "row", "rows")} and{" "}
            {byteSize(check.data.bytes)} were read and compared with the manifest.
          </p>
          {check.data.faults.length === 0 ? (
            <p className="text-green">Nothing is wrong.</p>
          ) : (
            <ul className="list-disc pl-4 text-red">
              {check.data.faults.map(({ path, problem }) => (
                <li className="break-words" key={`${path} ${problem}`}>
                  <span className="font-mono text-xs">{path}</span>: {problem}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </ResultDialog>
  )
}

/** Each answer checks some files and says after which path the next one continues. */
const verifyAll = async (w: string, signal: AbortSignal): Promise<Verification> => {
  let all = await api.lake.verify(w, {}, signal)
  while (all.next !== null) {
    const { bytes, faults, files, next, rows } = await api.lake.verify(w, { after: all.next }, signal)
    all = {
      files: all.files + files,
      rows: all.rows + rows,
      bytes: all.bytes + bytes,
      faults: [...all.faults, ...faults],
      next,
    }
  }
  return all
}
