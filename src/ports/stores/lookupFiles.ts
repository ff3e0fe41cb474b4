/** A lookup file as its caller sees it. */
export interface LookupFile {
  name: string;
  app: string;
  owner: string;
  sharing: 'user' | 'app' | 'global';
  canWrite: boolean;
  /** Path on this member. */
  path: string;
}

/** Location of a file; owner `nobody` = shared in the app. */
export interface LookupLocation {
  name: string;
  app: string;
  owner: string;
}

/** Bytes, or a lookup file to copy. */
export type LookupContent = Uint8Array | LookupFile;

/** Lookup files with the caller's rights, through the platform's endpoints, so that a cluster replicates them. */
export interface LookupFiles {
  /** Files of all apps by prefix of their names. */
  list(prefix: string): Promise<LookupFile[]>;
  /**
   * False when the file exists.
   * @throws Fault `acl_denied`
   */
  create(location: LookupLocation, content: LookupContent): Promise<boolean>;
  /**
   * Replaces the content; false when the file does not exist.
   * @throws Fault `acl_denied`
   */
  replace(file: LookupFile, content: LookupContent): Promise<boolean>;
  /**
   * False when the file does not exist.
   * @throws Fault `acl_denied`
   */
  remove(file: LookupFile): Promise<boolean>;
  /** Size and modification time (epoch seconds); undefined if not on this member. */
  stat(file: LookupFile): Promise<{ size: number; changedAt: number } | undefined>;
  /** The first bytes; undefined if not on this member. */
  head(file: LookupFile, bytes: number): Promise<Uint8Array | undefined>;
}
