import { Fault } from '../../contract/codes/faults.ts';
import { type MaskedOperation, SECRET_KINDS } from '../../contract/families/masking.ts';
import type { MaskingPolicy } from '../../masking/masking.ts';
import type { MaskingTools } from '../../masking/tools.ts';
import { type RecordStore, UnreadableDoc } from '../../ports/stores/recordStore.ts';
import { compiledRules } from './compiled.ts';
import type { PolicyRules, PolicyStored } from './definition.ts';
import { MASKING_POLICIES } from './records.ts';

/** A use that policies are looked up for. */
export interface PolicyUse {
  operation: MaskedOperation;
  service: string;
  connection_name: string;
  alias: string | undefined;
  roles: readonly string[];
}

export interface ApplyingPolicies {
  policies: readonly MaskingPolicy[];
  refusesImages: boolean;
}

const FIELDS = [
  ...(['name', 'applies_to', 'kinds', 'fields', 'patterns', 'never', 'regions', 'images', 'is_enabled'] as const),
] as const satisfies readonly (keyof PolicyStored)[];
type ReadPolicy = Pick<PolicyStored, '_key' | (typeof FIELDS)[number]>;

/** A read of the policies holds so long: a change is in force everywhere within two seconds. */
const FRESH_MS = 1000;

/** The policies of a process, which are read again after a second. */
export class MaskingPolicies {
  #read: { begun: number; policies: Promise<EnabledPolicy[]> } | undefined;
  readonly #tools: () => Promise<Pick<MaskingTools, 'compile'>>;
  readonly #now: () => number;

  /** @param tools loaded with the first policy that applies @param now milliseconds of a clock that never goes back */
  constructor(tools: () => Promise<Pick<MaskingTools, 'compile'>>, now = () => performance.now()) {
    this.#tools = tools;
    this.#now = now;
  }

  /** @throws Fault `masking_failed` for a policy that cannot be applied, `store_unavailable` */
  async applying(records: Pick<RecordStore, 'find'>, use: PolicyUse): Promise<ApplyingPolicies> {
    const enabled = await this.#enabled(records);
    const applying = enabled.flatMap((policy) => {
      const extent = extentOf(policy.stored, use);
      return extent === undefined ? [] : [{ policy, extent }];
    });
    const effective = applying.filter(({ policy, extent }) => policy.masksIn(extent));
    const tools = effective.length > 0 ? await this.#tools() : undefined;
    return {
      policies: tools ? effective.map(({ policy, extent }) => policy.compiled(extent, tools)) : [],
      refusesImages: applying.some(({ policy, extent }) => extent === 'all' && policy.stored.images === 'refuse'),
    };
  }

  #enabled(records: Pick<RecordStore, 'find'>): Promise<EnabledPolicy[]> {
    const begun = this.#now();
    if (this.#read && begun - this.#read.begun < FRESH_MS) return this.#read.policies;
    const read = { begun, policies: readEnabled(records) };
    this.#read = read;
    // A failure holds only for those who wait for this read.
    read.policies.catch(() => {
      if (this.#read === read) this.#read = undefined;
    });
    return read.policies;
  }
}

/** @throws Fault `masking_failed` for a policy that cannot be read: it may be one that applies */
async function readEnabled(records: Pick<RecordStore, 'find'>): Promise<EnabledPolicy[]> {
  const stored = await records.find<ReadPolicy>(MASKING_POLICIES, { fields: FIELDS, keepsUnreadable: true });
  const damaged = stored.find((policy) => policy instanceof UnreadableDoc);
  if (damaged) throw failed(`The masking policy with the key ${damaged._key} cannot be read`);
  return stored.filter(({ is_enabled }) => is_enabled).map((policy) => new EnabledPolicy(policy));
}

const failed = (message: string): Fault => new Fault('masking_failed', message, { should_retry: false });

/** Which of its rules a policy applies. */
type Extent = 'all' | 'secrets';

class EnabledPolicy {
  readonly stored: ReadPolicy;
  readonly #compiled = new Map<Extent, MaskingPolicy>();

  constructor(stored: ReadPolicy) {
    this.stored = stored;
  }

  masksIn(extent: Extent): boolean {
    const { kinds, fields, patterns } = rulesIn(this.stored, extent);
    return fields.length > 0 || patterns.length > 0 || Object.values(kinds).some((mode) => mode !== 'allow');
  }

  /** @throws Fault `masking_failed` */
  compiled(extent: Extent, tools: Pick<MaskingTools, 'compile'>): MaskingPolicy {
    const kept = this.#compiled.get(extent);
    if (kept) return kept;
    try {
      const policy = compiledRules(rulesIn(this.stored, extent), tools);
      this.#compiled.set(extent, policy);
      return policy;
    } catch {
      throw failed(`The masking policy "${this.stored.name}" has a pattern that cannot be read`);
    }
  }
}

function rulesIn({ kinds, fields, patterns, never, regions }: ReadPolicy, extent: Extent): PolicyRules {
  if (extent === 'all') return { kinds, fields, patterns, never, regions };
  const secrets = SECRET_KINDS.flatMap((kind) => (Object.hasOwn(kinds, kind) ? [[kind, kinds[kind]] as const] : []));
  return { kinds: Object.fromEntries(secrets) as PolicyRules['kinds'], fields: [], patterns: [], never, regions };
}

/** Undefined where the policy does not apply. */
function extentOf({ applies_to }: ReadPolicy, use: PolicyUse): Extent | undefined {
  const { services, connections, aliases, roles, operations } = applies_to;
  const isMeant =
    (!services || services.some((service) => service === use.service)) &&
    (!connections || hasFolded(connections, use.connection_name)) &&
    (!aliases || (use.alias !== undefined && hasFolded(aliases, use.alias))) &&
    (!roles || use.roles.some((role) => hasFolded(roles, role)));
  if (!isMeant) return undefined;
  if (operations) return operations.some((operation) => operation === use.operation) ? 'all' : undefined;
  return PRESET[use.operation];
}

/** The extent of a policy that names no operations. */
const PRESET: Readonly<Partial<Record<MaskedOperation, Extent>>> = {
  chat: 'all',
  invoke_agent: 'all',
  embeddings: 'secrets',
};

const folded = (name: string): string => name.normalize('NFC').trim().toLowerCase();
const hasFolded = (names: readonly string[], name: string): boolean =>
  names.some((candidate) => folded(candidate) === folded(name));
