import { EDIT_MASKING } from '../../contract/capabilities.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { Naming } from '../../resources/references.ts';
import type { PolicyStored } from './definition.ts';
import { MASKING_POLICIES } from './records.ts';

type Names = Partial<Pick<PolicyStored, 'applies_to'>>;

export const POLICY_NAMING: Naming = {
  from: MASKING_POLICIES,
  users: 'masking policies',
  readers: EDIT_MASKING,
  references: [
    {
      to: 'llm',
      field: 'applies_to',
      namesIn: ({ applies_to: { connections = [], services } = {} }: Names) =>
        connections.map((connection_name) => ({ connection_name, services })),
    },
    {
      to: 'alias',
      field: 'applies_to',
      namesIn: ({ applies_to: { aliases = [] } = {} }: Names) => aliases.map(recordKey),
    },
  ],
};
