import type { FaultCode } from '../../contract/codes/codes.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { bounded } from '../../domain/async/deadline.ts';
import { awsAccess } from '../../domain/net/awsKeys.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Target } from '../../resources/target.ts';
import type { RegisteredModel } from './definition.ts';
import { keysOf, type Registrations, SECRET } from './records.ts';

const DEADLINE_MS = 20_000;
const IN_SERVICE = 'InService';

export interface Finding {
  endpointStatus: string | null;
  failure?: { code: FaultCode; message: string; cause?: OutboundError };
  elapsedMs: number;
}

/**
 * Reads the state of the endpoint; every failure is part of the result.
 * @param outer an earlier deadline
 */
export async function inspectEndpoint(
  cloud: CloudEndpoints,
  { record, secrets, hidden }: Target<RegisteredModel>,
  outer?: Deadline,
): Promise<Finding> {
  const started = performance.now();
  using deadline = bounded(DEADLINE_MS, outer);
  const { endpoint_name, cloud_credentials } = record;
  const withTime = (finding: Omit<Finding, 'elapsedMs'>) => ({ ...finding, elapsedMs: performance.now() - started });
  try {
    const access = awsAccess(keysOf(cloud_credentials), secrets[SECRET], hidden);
    const endpoint = await cloud.describe(access, endpoint_name, deadline);
    if (!endpoint) {
      const message = `There is no endpoint ${endpoint_name} in ${cloud_credentials.region} for this account`;
      return withTime({ endpointStatus: null, failure: { code: 'endpoint_not_found', message } });
    }
    const { status, failureReason } = endpoint;
    if (status === IN_SERVICE) return withTime({ endpointStatus: status });
    const why = failureReason === undefined ? '' : `: ${failureReason}`;
    const message = `The endpoint ${endpoint_name} is ${status}, not ${IN_SERVICE}${why}`;
    return withTime({ endpointStatus: status, failure: { code: 'endpoint_not_in_service', message } });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return withTime({ endpointStatus: null, failure: { code: error.code, message: error.message, cause: error } });
  }
}

/** Inspects the endpoint and stores the result on a saved registration. */
export async function testEndpoint(
  models: Registrations,
  cloud: CloudEndpoints,
  target: Target<RegisteredModel>,
  outer?: Deadline,
): Promise<Finding> {
  const finding = await inspectEndpoint(cloud, target, outer);
  await models.recordTest(target, finding.elapsedMs, finding.failure);
  return finding;
}

/** @throws Fault if the endpoint cannot be used */
export function assertInService({ endpointStatus, failure }: Finding): void {
  if (!failure) return;
  if (failure.cause) throw Fault.of(failure.cause);
  throw new Fault(failure.code, failure.message, { endpoint_status: endpointStatus });
}
