/** The platform's definitions of roles; which user has which role is asked elsewhere, at every request. */
export interface Roles {
  /** The roles that a role imports directly; undefined = there is no such role. */
  imports(role: string): Promise<readonly string[] | undefined>;
}
