export interface Named {
  readonly svc_id: string | null
  readonly id: string | null
  readonly email: string | null
}

/** Returns the text that identifies a person to operators: the email, otherwise the id, otherwise the `svc_id`. */
export const personName = ({ email, id, svc_id }: Named): string => email ?? id ?? svc_id ?? ""
