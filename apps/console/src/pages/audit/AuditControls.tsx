import { useNavigate } from "@tanstack/react-router"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { periodIn } from "../../shared/time/period.ts"
import { PeriodChooser } from "../../shared/time/PeriodChooser.tsx"
import { SearchLine } from "../../shared/fields/SearchLine.tsx"
import { outcomes, resources, type AuditSearch } from "./auditTexts.ts"

interface AuditControlsProps {
  readonly search: AuditSearch
  /** Whether the session may use all workspaces, and so see what was done to the installation. */
  readonly isUnlimited: boolean
}

/** The filters of the audit log, which are kept in the URL. */
export const AuditControls = ({ isUnlimited, search }: AuditControlsProps) => {
  const navigate = useNavigate({ from: "/w/$w/audit" })
  const set = (changed: AuditSearch): void =>
    void navigate({ to: ".", search: { ...search, ...changed }, replace: true })
  return (
    <div className="grid grid-cols-2 gap-2 md:grid-cols-5">
      <SearchLine
        label="Token"
        onSearch={(actor) => set({ actor })}
        placeholder="Name or id of a token"
        text={search.actor ?? ""}
      />
      {isUnlimited ? (
        <Menu
          label="Records about"
          onChange={(on) => set({ on })}
          options={[
            ["", "This workspace"],
            ["installation", "Installation"],
            ["everything", "Everything"],
          ]}
          value={search.on ?? ""}
        />
      ) : null}
      <Menu
        label="Action"
        onChange={(action) => set({ action })}
        options={[["", "Any action"], ...resources]}
        value={search.action ?? ""}
      />
      <Menu
        label="Outcome"
        onChange={(outcome) => set({ outcome })}
        options={[["", "Any outcome"], ...outcomes.map((outcome) => [outcome, outcome] as const)]}
        value={search.outcome ?? ""}
      />
      <PeriodChooser
        onPeriod={(period) => set({ from: "", to: "", last: "", ...period })}
        period={periodIn(search)}
      />
    </div>
  )
}

interface MenuProps {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly onChange: (value: string) => void
}

const Menu = ({ label, onChange, options, value }: MenuProps) => (
  <select
    aria-label={label}
    className={inputStyle}
    onChange={(event) => onChange(event.target.value)}
    value={value}
  >
    {options.map(([option, text]) => (
      <option key={option} value={option}>
        {text}
      </option>
    ))}
  </select>
)
