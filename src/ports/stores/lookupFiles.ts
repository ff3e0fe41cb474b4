/** A lookup file of the platform as its caller sees it. */
export interface LookupFile {
  name: string;
  app: string;
  owner: string;
  sharing: 'user' | 'app' | 'global';
  canWrite: boolean;
  /** Where it is on this member. */
  path: string;
}

/** Where a file belongs: to one user in an app, or (`nobody`) to the app. */
export interface LookupLocation {
  name: string;
  app: string;
  owner: string;
}

/** Bytes, or another lookup file to be copied. */
export type LookupContent = Uint8Array | LookupFile;

/**
 * The platform's lookup files with the rights of the caller: what they may not see is not listed, what they may not
 * write is refused. Files go through the platform's own endpoints, so that a cluster replicates them.
 */
export interface LookupFiles {
  /** Those of all apps whose names begin with this. */
  list(prefix: string): Promise<LookupFile[]>;
  /**
   * False when the place is taken.
   * @throws Fault `acl_denied`
   */
  create(place: LookupLocation, content: LookupContent): Promise<boolean>;
  /**
   * Puts other content into a file; false when it is gone.
   * @throws Fault `acl_denied`
   */
  replace(file: LookupFile, content: LookupContent): Promise<boolean>;
  /**
   * False when it was gone already.
   * @throws Fault `acl_denied`
   */
  remove(file: LookupFile): Promise<boolean>;
  /** Size and time of the file (epoch seconds); undefined where this member does not have it. */
  stat(file: LookupFile): Promise<{ size: number; changedAt: number } | undefined>;
  /** The first bytes; undefined where this member does not have it. */
  head(file: LookupFile, bytes: number): Promise<Uint8Array | undefined>;
}
