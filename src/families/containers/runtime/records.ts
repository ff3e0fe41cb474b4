import { Fault } from '../../../contract/codes/faults.ts';
import { reasonOf } from '../../../contract/codes/reasons.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import { API_PORT, PORT_NAMES, type PortName } from '../../../ports/engines/containerEngine.ts';
import type { Doc } from '../../../ports/stores/recordStore.ts';
import { AUTO } from '../../../predictions/containers/registry.ts';
import { SPEC_FIELDS, type StartSpec } from '../engines/startFields.ts';

export const WAITING = 'Waiting for Url to start';
export const ACTIVE = 'Active';
export const UNREACHABLE = 'Unreachable';
export const FAILED = 'Failed';
export const STOPPED = 'Stopped';
export const DEAD: readonly string[] = [FAILED, STOPPED];

/** Current step of a start or stop; '' once the container exists. */
export type Step = 'creating' | 'pulling' | 'stopping' | '';

export interface RuntimeStored extends Doc, StartSpec {
  model: string;
  /** Arguments of the image's entry point, as they are written in the catalog. */
  arguments?: string;
  cluster: ContainerType;
  connection_key: string;
  connection_name: string;
  container_name: string;
  id: string;
  /** Unique for each start, so that late writes of an earlier start are refused. */
  mark: string;
  step: Step;
  /** Epoch milliseconds. */
  started_at: number;
  /** Owner of the pull's lease. */
  pull_owner: string;
  urls: Record<string, string>;
  /** `reachOf` the connection when the URLs were found; '' without URLs. */
  reach: string;
  status: string;
  status_reason: string;
  status_message: string;
  status_since: string;
  probe_error: string;
  restarts: string;
  /** Consecutive failed probes while Active. */
  probe_failures: number;
  /** SHA-256 of the application's first certificate. */
  fingerprint: string;
}

export const noRecord = (model: string) => new Fault('not_found', `There is no container for the model ${model}`);

export const runtimeKey = (model: string): string => recordKey(model);
export const pullLease = (key: string): string => `pull.containers.${key}`;

const URL_NAMES: Record<PortName, string> = {
  api: 'api_url',
  jupyter: 'jupyter_url',
  tensorboard: 'tensorboard_url',
  mlflow: 'mlflow_url',
  spark: 'spark_url',
};
export const urlName = (port: PortName): string => URL_NAMES[port];
export const NO_URLS: Record<string, string> = {
  ...Object.fromEntries(PORT_NAMES.map((port) => [URL_NAMES[port], ''])),
  api_url_external: '',
};

/** The record in a reply; all values are strings. */
export function runtimeView(record: RuntimeStored): Record<string, string> {
  const { id, cluster, connection_name, container_name } = record;
  const { status, status_reason, status_message, status_since, probe_error, restarts } = record;
  return {
    id,
    cluster,
    ...NO_URLS,
    ...record.urls,
    status,
    ...Object.fromEntries(SPEC_FIELDS.map((name) => [name, record[name]])),
    protocol: record.protocol || AUTO,
    api_port: record.api_port || API_PORT,
    https: record.https ?? '',
    status_reason,
    status_message,
    status_since,
    probe_error,
    restarts,
    remedy: reasonOf(status_reason)?.remedy ?? '',
    connection_name,
    container_name,
  };
}

export function startedView(record: RuntimeStored): Record<string, string> {
  const { id, status, status_reason, status_message, cluster, mode, model, connection_name, container_name } = record;
  return {
    id,
    ...NO_URLS,
    ...record.urls,
    status,
    status_reason,
    status_message,
    cluster,
    mode,
    model,
    connection_name,
    container_name,
  };
}
