import { invalid } from '../../../contract/codes/faults.ts';
import type { Secrets } from '../../../domain/secrets/secrets.ts';
import type { ClusterIdentity, LoginServer } from '../../../ports/engines/containerEngine.ts';
import type { ConnectionCheck, EndingCredential, TlsFiles } from './engineKind.ts';
import type { Fields } from './fields.ts';
import { AUTH_MODES } from './kubernetesFields.ts';

/** Required fields of each auth mode. */
export function checkIdentity({ fields, has, need, problem }: ConnectionCheck): void {
  const { auth_mode: mode } = fields;
  need('auth_mode', `for kubernetes: ${AUTH_MODES.join(', ')}`);
  const inside = fields.in_cluster_mode === '1';
  // A cloud cluster's description contains the address.
  if (!inside && mode !== 'cloud-iam') need('cluster_url', "unless in_cluster_mode is '1'");
  // These would expose the machine's identity over plain http.
  const isOwnIdentity = mode === 'cloud-iam' || (mode === 'service-account' && !has('service_account_token'));
  // Over plain http anybody between could name the server that gets the password.
  if ((isOwnIdentity || mode === 'user-login') && /^http:/i.test(fields.cluster_url ?? '')) {
    problem('cluster_url', `must begin with https:// for auth_mode ${mode}`);
  }
  if (fields.service_type === 'ingress') need('ingress_host_pattern', 'for the service type ingress');
  const forMode = `for auth_mode ${mode}`;
  if (mode === 'cert-key') {
    need('client_cert', forMode);
    need('client_key', forMode);
  } else if (mode === 'user-token') {
    need('user_token', forMode);
  } else if (mode === 'user-login') {
    need('user_name', forMode);
    need('user_password', forMode);
  } else if (mode === 'cloud-iam') {
    need('cloud_cluster_name', forMode);
    need('cloud_region_name', forMode);
    if (has('cloud_access_key_id')) need('cloud_secret_access_key', 'with cloud_access_key_id');
    if (has('cloud_secret_access_key')) need('cloud_access_key_id', 'with cloud_secret_access_key');
  } else if (mode === 'service-account' && !inside) {
    need('service_account_token', `${forMode} outside the cluster`);
  }
}

export function clusterIdentity(
  fields: Fields,
  secrets: Readonly<Secrets>,
  { cert, key }: TlsFiles,
  server: LoginServer,
): ClusterIdentity {
  switch (fields.auth_mode) {
    case 'cert-key':
      return { mode: 'certificate', cert: cert ?? '', key: key ?? '' };
    case 'user-token':
      return { mode: 'token', token: secrets.user_token ?? '' };
    case 'user-login':
      return { mode: 'login', user: fields.user_name ?? '', password: secrets.user_password ?? '', server };
    case 'cloud-iam': {
      const { cloud_access_key_id: accessKeyId } = fields;
      const { cloud_secret_access_key: secretAccessKey } = secrets;
      return {
        mode: 'cloud',
        clusterName: fields.cloud_cluster_name ?? '',
        region: fields.cloud_region_name ?? '',
        ...(accessKeyId && secretAccessKey ? { keys: { accessKeyId, secretAccessKey } } : {}),
      };
    }
    case 'service-account':
      return secrets.service_account_token ? { mode: 'token', token: secrets.service_account_token } : { mode: 'pod' };
    default:
      throw invalid([{ field: 'auth_mode', message: 'is required for kubernetes' }]);
  }
}

/** Passwords, AWS keys and the pod's account are exchanged for a new token at each use. */
export function endingCredentials(mode: string | undefined): readonly EndingCredential[] {
  if (mode === 'cert-key') return ['client_cert'];
  if (mode === 'user-token') return ['user_token'];
  return mode === 'service-account' ? ['service_account_token'] : [];
}
