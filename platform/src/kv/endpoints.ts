import { faultGate } from '../faults/gate.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { KvAction } from './calls.ts';
import { type KvOptions, openCollection } from './collections.ts';
import { configRoutes } from './configEndpoint.ts';

const BATCH_METHODS = ['POST', 'PUT'];

/** Reads and removals of a batch, which would be of a key otherwise. */
function refuse(): never {
  throw new PlatformError(405, 'Method Not Allowed', 'ERROR', [['Allow', BATCH_METHODS.join(',')]]);
}

/** Everything below `/storage/collections`. */
export function kvEndpoints(options: KvOptions): Route[] {
  return [...configRoutes(options), ...dataRoutes(options)];
}

/**
 * `/storage/collections/data/...`. Success is JSON whatever `output_mode` says; errors are XML by default. The body is
 * parsed as JSON whatever its Content-Type: what splunkd does with another type is not confirmed.
 */
function dataRoutes(options: KvOptions): Route[] {
  const { kv, faults } = options;
  const root = '/storage/collections/data/{collection}';
  const route = (method: string | string[], pattern: string, half: 'read' | 'write', action: KvAction): Route => ({
    method,
    pattern,
    handle: (req, params) =>
      faultGate(faults, 'kvstore', half, req, async () => {
        const { at, rules } = openCollection(options, req, params.collection ?? '', half);
        const args = [...req.form, ...req.query];
        return kv.run({ action, at, rules, args, body: req.body, key: params.key ?? '' });
      }),
  });
  return [
    route('GET', root, 'read', 'find'),
    route('POST', root, 'write', 'insert'),
    route('DELETE', root, 'write', 'removeMatching'),
    route(BATCH_METHODS, `${root}/batch_save`, 'write', 'batchSave'),
    route(BATCH_METHODS, `${root}/batch_find`, 'read', 'batchFind'),
    ...['batch_save', 'batch_find'].map(
      (name): Route => ({ method: ['GET', 'DELETE'], pattern: `${root}/${name}`, handle: refuse }),
    ),
    route('GET', `${root}/{key...}`, 'read', 'get'),
    route('POST', `${root}/{key...}`, 'write', 'replace'),
    route('DELETE', `${root}/{key...}`, 'write', 'remove'),
  ];
}
