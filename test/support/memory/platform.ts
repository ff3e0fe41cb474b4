import type { Caller } from '../../../src/contract/caller.ts';
import { UnauthenticatedError } from '../../../src/contract/caller.ts';
import { NO_AUDIT } from '../../../src/domain/audit/audit.ts';
import type { Stores } from '../../../src/domain/records/sealedRecord.ts';
import type { HostClock } from '../../../src/ports/platform/clock.ts';
import type { Roles, Sessions } from '../../../src/ports/platform/session.ts';
import type { Settings, Stanzas } from '../../../src/ports/stores/settings.ts';
import type { Admission } from '../../../src/rest/requestScope.ts';
import { ManualClock } from './clock.ts';
import { FaultPlan } from './faults.ts';
import { MemoryLog } from './log.ts';
import { memoryRecords, RecordData } from './recordStore.ts';
import { memorySecrets, SecretData } from './secretStore.ts';

export class MemorySettings implements Settings {
  stanzas: Stanzas = {};
  /** What a process still remembers, where that is something else. */
  remembered: Stanzas | undefined;
  reads = 0;
  admission: Admission = { enter: async () => {}, leave() {} };
  read = async (): Promise<Stanzas> => {
    this.reads += 1;
    this.remembered = undefined;
    return this.stanzas;
  };
  recent = async (): Promise<Stanzas> => this.remembered ?? this.read();
}

export class MemorySessions implements Sessions {
  readonly callers = new Map<string, Caller>();
  whoami = async (token: string): Promise<Caller> => {
    const caller = this.callers.get(token);
    if (!caller) throw new UnauthenticatedError();
    return caller;
  };
  /** Tokens with which the licence was asked for. */
  readonly licenceAsked: string[] = [];
  hasFreeLicence = false;
  isFree = async (token: string): Promise<boolean> => {
    this.licenceAsked.push(token);
    return this.hasFreeLicence;
  };
}

/** Every role is there until some are defined; those that are named import others. */
export class MemoryRoles implements Roles {
  #isKnown: (role: string) => boolean = () => true;
  readonly imported = new Map<string, readonly string[]>();
  readonly missing = new Set<string>();
  /** Questions that were asked, in their order. */
  readonly asked: string[] = [];
  imports = async (role: string): Promise<readonly string[] | undefined> => {
    this.asked.push(role);
    return this.missing.has(role) || !this.#isKnown(role) ? undefined : (this.imported.get(role) ?? []);
  };

  /** There are these and no others. */
  define(roles: Iterable<string>, imports: Readonly<Record<string, readonly string[]>>): void {
    const all = new Set([...roles, ...Object.keys(imports)]);
    this.#isKnown = (role) => all.has(role);
    for (const [role, its] of Object.entries(imports)) this.imported.set(role, its);
  }
}

/** Stores of one site in memory; `process()` gives the ports of one more process upon them. */
export class MemoryPlatform {
  readonly records = new RecordData();
  readonly secrets = new SecretData();
  readonly clock = new ManualClock();
  readonly log = new MemoryLog();
  readonly #deferred = new Map<string, () => Promise<void>>();
  #ids = 0;

  process(faults = new FaultPlan(), clock: HostClock = this.clock): Stores {
    return {
      records: memoryRecords(this.records, faults),
      secrets: memorySecrets(this.secrets, faults),
      clock,
      log: this.log,
      newId: () => {
        this.#ids += 1;
        return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
      },
      audit: NO_AUDIT,
      defer: (name, work) => void this.#deferred.set(name, work),
    };
  }

  /** Runs what requests left to be done after their replies. */
  async afterReplies(): Promise<void> {
    const all = [...this.#deferred.values()];
    this.#deferred.clear();
    for (const work of all) await work();
  }

  /** Secrets that no record of these collections points at. */
  orphans(...collections: string[]): string[] {
    const used = new Set(collections.flatMap((name) => this.records.all(name).map((doc) => doc.secret_ref)));
    return [...this.secrets.values.keys()].filter((ref) => !used.has(ref));
  }
}

export const caller = (user: string, more: Partial<Omit<Caller, 'user'>> = {}): Caller => ({
  user,
  roles: ['user'],
  capabilities: [],
  ...more,
});
