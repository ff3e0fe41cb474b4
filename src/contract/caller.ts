/** The caller: the owner of the session token, whatever the URL says. */
export interface Caller {
  user: string;
  roles: string[];
  capabilities: string[];
}
