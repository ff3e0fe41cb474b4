import { Fault } from '../../../contract/codes/faults.ts';
import type { RecordPlans } from '../../../contract/rows/recordPlan.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { ContainerDependencies } from '../../../ports/engines/containerDependencies.ts';
import { containerPredictor, type ReachedContainer } from '../../../predictions/containers/predictor.ts';
import { protocolOf } from '../../../predictions/containers/registry.ts';
import type { Predictor } from '../../../predictions/rows/prediction.ts';
import { readCertificates } from '../connections/target.ts';
import { containerParts } from '../parts.ts';
import type { Engines } from './engines.ts';
import type { Observer } from './observe/observe.ts';
import { isReached, targetOf } from './observe/probes.ts';
import { ACTIVE, noRecord, type RuntimeStored } from './records.ts';
import type { Runtimes } from './store.ts';

export interface ReachParts {
  engines: Engines;
  runtimes: Runtimes;
  observer: Pick<Observer, 'observe'>;
}

/**
 * A container that is Active. One that was not when it was last looked at is looked at again: this takes up to 6 s, so it is for
 * callers that hold a slot.
 * @throws Fault `not_found`, `invalid_state`; OutboundError `configuration_invalid`
 */
export async function reachContainer(
  { engines, runtimes, observer }: ReachParts,
  model: string,
): Promise<ReachedContainer> {
  const stored = await runtimes.get(model);
  if (!stored) throw noRecord(model);
  const container = await reached(engines, stored);
  if (container) return container;
  // A look takes seconds if the engine is silent. Another start is looked at anew.
  const look = () => observer.observe(stored.model);
  const isUnusable = ([observed]: RuntimeStored[]) => observed?.status !== ACTIVE;
  const [record] = await (engines.deps.looks?.share(`${stored._key} ${stored.mark}`, look, isUnusable) ?? look());
  if (!record) throw noRecord(model);
  const observedContainer = await reached(engines, record);
  if (observedContainer) return observedContainer;
  throw new Fault('invalid_state', stateOf(record));
}

/**
 * The model of a container, ready to be applied. The caller's rights are not checked here.
 * @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid`
 */
export async function openContainerPredictor(
  stores: Stores,
  deps: ContainerDependencies,
  plans: RecordPlans,
  name: string,
): Promise<Predictor> {
  const container = await reachContainer(containerParts(stores, deps, plans), name);
  return containerPredictor(container, deps.applications);
}

function stateOf({ model, status, probe_error: error }: RuntimeStored): string {
  if (status === ACTIVE) return `The address of the container ${model} is not known at the moment. Try again.`;
  const probe = error === '' ? '' : ` (last probe: ${error})`;
  return `The container ${model} is not Active: its status is ${status}${probe}`;
}

/** Undefined unless it is Active at an address of the current connection. */
async function reached(engines: Engines, record: RuntimeStored): Promise<ReachedContainer | undefined> {
  const protocol = protocolOf(record.protocol);
  const url = record.urls.api_url;
  if (record.status !== ACTIVE || protocol === undefined || !url) return undefined;
  const connection = await engines.connectionOf(record);
  if (!connection) return undefined;
  const { connections } = engines;
  const { record: fields, secrets, hidden } = await connections.sealed.unseal(connection);
  if (!isReached(connections.kindOf(fields), fields, record)) return undefined;
  const field = 'endpoint_cert_filename_or_path';
  const isSecure = url.startsWith('https:');
  const certificates = isSecure ? await readCertificates(connections.certificates, field, fields[field]) : undefined;
  const target = targetOf(fields, record, url, { secrets, certificates });
  // Only a probe trusts a certificate that nobody has seen before.
  const isUnseen = isSecure && certificates === undefined && !target.checkHostname && !target.fingerprint;
  return isUnseen ? undefined : { model: record.model, protocol, target, hidden };
}
