import type { Caller } from '../../contract/caller.ts';
import type { Gate } from '../../contract/capabilities.ts';
import type { ConnectionFamily, HealthState } from '../../contract/families/connectionHealth.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
import type { ModelCooldown } from '../../contract/schemas/cooldown.ts';
import type { FeatureFlag } from '../../contract/settings/flags.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Expiry } from '../net/certificates.ts';
import type { NamedRecord } from './namedRecord.ts';

/** Names of tools that differ from the previous listing. */
export interface Drift {
  added: string[];
  removed: string[];
  changed: string[];
}

/** A connection that another record asks. */
export interface TargetCondition extends Pick<Condition, 'name' | 'lastTest' | 'expiries'> {
  family: ConnectionFamily;
  /** The record's key; undefined if it was deleted. */
  key: string | undefined;
}

/** A state that is known without a test. */
export interface Verdict {
  state: HealthState;
  /** For a person. */
  reason: string;
  error_code?: string;
  remedy?: string;
}

/** Facts about one connection, from which its health is derived. */
export interface Condition {
  /** The record's key. */
  key: string;
  name: string;
  /** Unambiguous name, if records of other types can share `name`. */
  fullName?: string;
  type: string;
  /** Owner of the record, or its creator if it has no access list. */
  owner: string;
  lastTest: LastTest | undefined;
  /** The tested part, if a test does not cover the whole connection. */
  tested?: string | undefined;
  /** The server rejected the stored credentials. */
  needsSignIn: boolean;
  expiries: readonly Expiry[];
  /** The cooldown that lasts longest, with its model. */
  cooldown?: ModelCooldown | undefined;
  drift?: Drift | undefined;
  /** Tools that are new or have changed since they were accepted. */
  unaccepted?: readonly string[] | undefined;
  /** The record that others name. */
  reference?: NamedRecord;
  /** Connections of which one is enough: their states make up its own, and their tests replace one of its own. */
  targets?: readonly TargetCondition[];
  /** Takes the place of tests and expiries. */
  verdict?: Verdict;
  /** Users other than agents. */
  usedBy?: readonly string[];
}

/** Reads the connections of one family as its endpoints do. */
export interface HealthReader {
  readers: Gate;
  testers: Gate;
  flag?: FeatureFlag;
  /** Readable connections, with a fixed number of store calls. */
  conditions(caller: Caller): Promise<Condition[]>;
}

/** Also tests them. */
export interface HealthSource extends HealthReader {
  /**
   * Tests the saved record and stores the result.
   * @returns the reason of a failed test, undefined if it passed
   * @throws Fault `not_found`, `store_unavailable`
   */
  test(caller: Caller, key: string, deadline: Deadline): Promise<{ code: string } | undefined>;
}
