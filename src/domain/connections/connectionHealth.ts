import type { Caller } from '../../contract/caller.ts';
import type { Gate } from '../../contract/capabilities.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
import type { FeatureFlag } from '../../contract/settings/flags.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Expiry } from '../net/certificates.ts';

/** How tools differ from those that were listed before, by their names. */
export interface Drift {
  added: string[];
  removed: string[];
  changed: string[];
}

/** How agents name a connection. */
export interface AgentReference {
  kind: 'mcp' | 'knowledge_base' | 'llm';
  /** Of an LLM connection `service/connection_name`. */
  name: string;
}

/** What a family knows of one connection. */
export interface Condition {
  /** The record's key. */
  key: string;
  name: string;
  /** Another name, which is good even if records of other types share the first. */
  fullName?: string;
  type: string;
  lastTest: LastTest | undefined;
  /** What a failed test was about, where it is not the whole connection. */
  tested?: string | undefined;
  /** The server takes the stored credentials no more. */
  needsSignIn: boolean;
  expiries: readonly Expiry[];
  drift?: Drift | undefined;
  reference?: AgentReference;
  /** What else uses it. */
  usedBy?: readonly string[];
}

/** What a family adds to the health of all connections: it reads and tests them as its own endpoints do. */
export interface HealthSource {
  readers: Gate;
  testers: Gate;
  flag: FeatureFlag;
  /** Those that the caller may read. The number of calls to the store does not grow with theirs. */
  conditions(caller: Caller): Promise<Condition[]>;
  /**
   * Tests the saved record as it is, and stores the result.
   * @returns why the test failed, undefined when it passed
   * @throws Fault `not_found`, `store_unavailable`
   */
  test(caller: Caller, key: string, deadline: Deadline): Promise<{ code: string } | undefined>;
}
