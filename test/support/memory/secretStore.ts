import type { SecretStore } from '../../../src/ports/stores/secretStore.ts';
import { FaultPlan } from './faults.ts';

/** What all processes share: reference -> value. */
export class SecretData {
  readonly values = new Map<string, string>();
  made = 0;
}

export function memorySecrets(data: SecretData, faults = new FaultPlan()): SecretStore {
  return {
    reference: (family) => {
      data.made += 1;
      return `${family}.${data.made}`;
    },
    put: (ref, value) =>
      faults.call('put secret', () => {
        if ((data.values.get(ref) ?? value) !== value) throw new Error(`reference used twice: ${ref}`);
        data.values.set(ref, value);
      }),
    get: (ref) => faults.call('get secret', () => data.values.get(ref)),
    remove: (ref) => faults.call('remove secret', () => data.values.delete(ref)),
    status: () => faults.call('secret status', () => 'ready'),
  };
}
