import type { MaskedOperation } from '../../contract/families/masking.ts';
import type { MaskingPolicy } from '../../masking/masking.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';

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

/** The policies of a process, which are read again after a second. */
export class MaskingPolicies {
  /** @throws Fault `store_unavailable` */
  async applying(_records: RecordStore, _use: PolicyUse): Promise<ApplyingPolicies> {
    return { policies: [], refusesImages: false };
  }
}
