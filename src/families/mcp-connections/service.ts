import type { Caller } from '../../contract/caller.ts';
import { invalid } from '../../contract/faults.ts';
import { changedAcl, newAcl } from '../../domain/acl.ts';
import { recordKey } from '../../domain/keys.ts';
import { OwnedRecords } from '../../domain/owned.ts';
import { assertUnused } from '../../domain/references.ts';
import type { Stores } from '../../domain/sealed.ts';
import { forgetListing } from './drift.ts';
import { assertValid, forgetLearned, mergeDetails, unseal } from './merge.ts';
import { type McpOpen, type McpStored, mcpSpec } from './records.ts';
import type { McpCreate, McpUpdate } from './schemas.ts';

/** MCP connections as records: who may do what, and what makes a whole one. Knows no server. */
export class McpConnections extends OwnedRecords<McpStored> {
  readonly secretPaths: readonly string[];

  constructor(stores: Stores, secretPaths: readonly string[]) {
    super(mcpSpec, stores);
    this.secretPaths = secretPaths;
  }

  /** A connection that is given whole. @throws Fault `validation_failed`, `masked_value_without_stored_secret` */
  draft<T extends Pick<McpCreate, 'type' | 'details'>>(input: T) {
    const { open, given } = unseal(input, this.secretPaths);
    const details = mergeDetails(undefined, open.details);
    assertValid(open.type, details, given, []);
    return { open, given, details };
  }

  async create(caller: Caller, input: McpCreate): Promise<McpStored> {
    const { open, given, details } = this.draft(input);
    const record: McpOpen = {
      _key: recordKey(open.name),
      name: open.name,
      type: open.type,
      description: open.description ?? '',
      details,
      ...(open.tools_allowed ? { tools_allowed: [...new Set(open.tools_allowed)] } : {}),
      acl: newAcl(caller, open.acl),
      auth_state: 'unknown',
      ...(given['details/token'] ? { token_obtained_at: this.now() } : {}),
    };
    return this.sealed.create(record, given, caller.user);
  }

  async update(caller: Caller, input: McpUpdate, condition: number | undefined): Promise<McpStored> {
    const key = recordKey(input.name);
    const before = await this.get(caller, key, 'write');
    const { open, given } = unseal(input, this.secretPaths, before.secret_fields);
    return this.sealed.update(key, {
      actor: caller.user,
      condition,
      given,
      guard: (record) => this.assertMay(caller, 'write', record),
      next: (record) => {
        if (open.type !== undefined && open.type !== record.type) {
          throw invalid([{ field: 'type', message: `cannot be changed; it is ${record.type}` }]);
        }
        const details = mergeDetails(record.details, open.details ?? {});
        assertValid(record.type, details, given, record.secret_fields);
        const next: McpOpen = { ...record, details, acl: changedAcl(caller, record.acl, open.acl) };
        if (open.description !== undefined) next.description = open.description ?? '';
        if (open.tools_allowed === null) delete next.tools_allowed;
        else if (open.tools_allowed) next.tools_allowed = [...new Set(open.tools_allowed)];
        return forgetLearned(record, next, given, this.now());
      },
    });
  }

  async remove(
    caller: Caller,
    name: string,
    options: { force: boolean; condition: number | undefined },
  ): Promise<string> {
    const key = recordKey(name);
    const removed = await this.sealed.remove(key, {
      condition: options.condition,
      guard: async (record) => {
        this.assertMay(caller, 'write', record);
        if (!options.force) await assertUnused(this.stores.records, caller, 'mcp', record.name);
      },
    });
    await forgetListing(this.stores.records, key).catch(() => {
      // A later connection of this name does not take it for its own: the listing carries its record's birth.
      this.stores.log.warn('listing_left', { family: mcpSpec.family });
    });
    return removed.name;
  }
}
