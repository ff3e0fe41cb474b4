/** Texts about a `reason` of a failure or a `status_reason` of a container. */
interface Reason {
  /** Describes the cause. */
  when: string;
  /** Tells the user how to resolve it. */
  remedy: string;
}

/** Why an engine refused or ended a container. Reasons beside these are error codes. */
export const REASONS = {
  image_not_found: {
    when: 'The engine does not find the image.',
    remedy: 'Check name and tag in the image catalog, and push or pull the image.',
  },
  image_name_invalid: {
    when: 'The name of the image is not valid.',
    remedy: 'Correct the image name in the image catalog.',
  },
  image_pull_failed: {
    when: 'The engine cannot pull the image.',
    remedy: 'Check registry access and free disk space of the engine. Then start it again.',
  },
  image_pull_interrupted: {
    when: 'The app stopped while it pulled the image.',
    remedy: 'Start it again. Layers that are complete are not pulled again.',
  },
  port_conflict: {
    when: 'A port is already in use on the engine.',
    remedy: 'Free the port on the engine, or start it again.',
  },
  network_missing: {
    when: 'The Docker network of the connection does not exist.',
    remedy: 'Create the network of the connection, or choose another one.',
  },
  runtime_unavailable: {
    when: 'The engine does not have the requested runtime.',
    remedy: 'Install the runtime on the engine, or start without GPU.',
  },
  log_driver_failed: {
    when: 'The log driver cannot send to its endpoint.',
    remedy: 'Check the ingest endpoint and token of the connection, and that the engine reaches the endpoint.',
  },
  quota_exceeded: {
    when: 'A quota of the namespace or the space of the engine is used up.',
    remedy: 'Stop other containers, or request less CPU and memory.',
  },
  forbidden: {
    when: 'The engine does not permit this.',
    remedy:
      'Grant the account of the connection this permission in the engine. If the message names PodSecurity or a security context constraint, set `pod_security` of the connection.',
  },
  config_missing: {
    when: 'Something that the container needs does not exist in the cluster.',
    remedy: 'Create the namespace, class, secret or service account that the message names.',
  },
  name_conflict: {
    when: 'An object of this name already exists on the engine.',
    remedy: 'Remove the object on the engine, or choose another model name.',
  },
  plain_http_on_https: {
    when: 'The address begins with http://, and the server expects https.',
    remedy: 'Change the address to https://.',
  },
  engine_error: {
    when: 'The engine answered with an error. The message has its words.',
    remedy: 'Correct what the message names, or look into the log of the engine.',
  },
  start_failed: {
    when: 'The engine created the container and cannot start it.',
    remedy: 'Correct what the message names, then start it again.',
  },
  unschedulable: {
    when: 'No node has room for the pod.',
    remedy: 'Request less CPU and memory, or add nodes to the cluster.',
  },
  volume_unbound: {
    when: 'The volume of the pod is not available.',
    remedy: 'Check the storage class of the connection and the volumes of the cluster.',
  },
  evicted: {
    when: 'The cluster ended the pod. The message says why.',
    remedy: 'Free memory and disk space of the node, or request as much as the model needs. Then start it again.',
  },
  crashed: {
    when: 'The container ended with an error.',
    remedy: 'Fix the cause shown in the log, then start it again.',
  },
  crash_loop: {
    when: 'The container ends with an error each time it starts.',
    remedy: 'Stop it, fix the cause shown in the log of the previous instance, and start it.',
  },
  oom_killed: {
    when: 'The container used more memory than it may.',
    remedy: 'Start it again with more memory.',
  },
  exited: {
    when: 'The container ended by itself.',
    remedy: 'See the log for the cause. Start it again if it should run.',
  },
  removed_externally: {
    when: 'The container was removed without the app.',
    remedy: 'Start it again if it should run.',
  },
  scaled_to_zero: {
    when: 'The deployment was scaled to zero without the app.',
    remedy: 'Scale it up in the cluster, or start it again.',
  },
} as const satisfies Record<string, Reason>;

export type StoreReason = 'kvstore_disabled' | 'kvstore_starting' | 'read_only' | 'certificate' | 'password_masked';

interface StoreState extends Reason {
  message: string;
  /** Seconds after which to try again; undefined if the state does not pass by itself. */
  pause?: number;
}

/** Why the platform's stores are not available. */
export const STORE_REASONS: Readonly<Record<StoreReason, StoreState>> = {
  kvstore_disabled: {
    message: 'The KV store is disabled on this instance',
    when: 'The KV store, where the app keeps everything, is disabled on this instance.',
    remedy: 'Remove `disabled` from `[kvstore]` in server.conf and restart the platform.',
  },
  kvstore_starting: {
    message: 'The KV store is starting',
    when: 'The KV store is starting, or is being migrated. That takes minutes after a restart or an upgrade.',
    remedy: 'Try again later. `splunk show kvstore-status` says how far it is.',
    pause: 10,
  },
  read_only: {
    message: 'The KV store is in read-only mode',
    when: 'The KV store takes no writes, since it is in maintenance mode.',
    remedy:
      'Wait until the upgrade or backup that needs it has ended, or run `splunk disable kvstore-maintenance-mode` (with `-readOnly true` if it was enabled so). Then send the request again.',
  },
  certificate: {
    message: 'The certificate of the management port is not trusted, or it asks for one of the client',
    when: 'The management port of the platform has a certificate that the app does not trust, or asks for one of the client.',
    remedy:
      'Set `sslRootCAPath` or `caCertFile` in `[sslConfig]` of server.conf to the CA of the certificate. With `requireClientCert` the app cannot reach the port.',
  },
  password_masked: {
    message: 'The platform masks the passwords of its storage, see view_cleartext_allowlist in limits.conf',
    when: 'The platform does not give the app passwords in the clear.',
    remedy:
      'Add the address of this host to `view_cleartext_allowlist` in `[storage_passwords_masking]` of limits.conf.',
  },
};

/** Why a user lacks a capability, where no role could give it. */
export const RIGHTS_REASONS = {
  splunk_free: {
    when: 'The platform runs with a Splunk Free licence. It gives nobody capabilities, not even administrators, and the app checks them.',
    remedy: 'Install an Enterprise or a trial licence in Settings, Licensing, and restart the platform.',
  },
} as const satisfies Record<string, Reason>;

const ALL_REASONS: Readonly<Record<string, Reason>> = { ...REASONS, ...STORE_REASONS, ...RIGHTS_REASONS };

/** Undefined for an error code and for the reason of a wait. */
export const reasonOf = (reason: unknown): Reason | undefined =>
  typeof reason === 'string' && Object.hasOwn(ALL_REASONS, reason) ? ALL_REASONS[reason] : undefined;

const STATUS_REASONS: Readonly<Record<string, StoreReason>> = {
  disabled: 'kvstore_disabled',
  starting: 'kvstore_starting',
};

/** @param status the platform's word for the state of the KV store */
export const reasonOfStatus = (status: string): StoreReason | undefined =>
  Object.hasOwn(STATUS_REASONS, status) ? STATUS_REASONS[status] : undefined;

export const storeReasonOf = (reason: unknown): StoreReason | undefined =>
  typeof reason === 'string' && Object.hasOwn(STORE_REASONS, reason) ? (reason as StoreReason) : undefined;
