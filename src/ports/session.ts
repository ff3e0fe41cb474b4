/** The caller: the owner of the session token, whatever the URL says. */
export interface Caller {
  user: string;
  roles: string[];
  capabilities: string[];
}

export interface Sessions {
  /** Who owns this token. Throws a Fault when the platform does not know it (any more). */
  whoami(token: string): Promise<Caller>;
}
