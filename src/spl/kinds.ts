/** Why a search is refused. */
export type Reason =
  | ('command' | 'syntax' | 'ambiguous' | 'nested' | 'language' | 'time' | 'index')
  | ('macro_unknown' | 'macro_depth' | 'macro_eval' | 'macro_unbalanced' | 'macro_argument')
  | ('computed_name' | 'lookup_unknown' | 'lookup_external' | 'dataset');

/** A fault of a search, at an offset of the text that was judged. */
export interface GuardFault {
  reason: Reason;
  /** The command at fault, in lower case; null where none is. */
  command: string | null;
  position: number;
  /** One or two sentences: what is refused, and what is allowed. */
  message: string;
}

/** A macro as `macros.conf` defines it. */
export interface Macro {
  definition: string;
  args: string[];
  isEval: boolean;
}

/** A macro with the number of arguments it is called with. */
export interface MacroCall {
  name: string;
  args: number;
}

export type LookupKind = 'file' | 'kvstore' | 'geo' | 'external';

/** Macros and lookups as the caller sees them on the platform, read before the text is judged. */
export interface SearchView {
  /** Definition of a macro called with this many arguments, or null where the caller has none. */
  macro(name: string, args: number): Macro | null;
  /** Kind of a lookup (definition or file) of this name, or null where there is none. */
  lookup(name: string): LookupKind | null;
}

/** Settings of the stanza `search_tools`. */
export interface SearchPolicy {
  /** Names that are allowed besides those of the table. */
  allowCommands: string[];
  denyCommands: string[];
  /** Days before now that a search may reach back. */
  maxSpanDays: number;
  /** Whether a stage that reads events must name what it reads. */
  requireIndex: boolean;
}

/** An argument of a search that an administrator publishes; `$name$` is its place. */
export interface TemplateArgument {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'time' | 'index' | 'sourcetype' | 'field';
  is_required: boolean;
  default?: unknown;
  enum?: unknown[];
  /** Bounds of numbers. */
  minimum?: number;
  maximum?: number;
  /** Whether a string may contain `*`. */
  wildcards?: boolean;
}
