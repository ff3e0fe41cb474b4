import { isOn } from '../../../contract/settings/flags.ts';
import type { Trust } from '../../../domain/secrets/binding.ts';
import type { EngineKind, EngineKinds } from '../engines/engineKind.ts';
import type { Fields, SecretField } from '../engines/fields.ts';

/** Addresses that receive secrets of the connection, as URLs if possible. */
export function secretAddresses(kind: EngineKind, fields: Fields): Record<string, string | undefined> {
  const { platform_access_host: access, platform_access_port: port } = fields;
  return {
    obs_otel_endpoint: fields.obs_otel_endpoint,
    platform_access_host: access === undefined ? undefined : `https://${access}:${port ?? '8089'}/`,
    platform_ingest_url: fields.platform_ingest_url,
    ...kind.addresses(fields, isOn(fields.container_enable_https)),
  };
}

/** Secrets that each address receives. */
export function receivers(kinds: EngineKinds): Record<string, readonly SecretField[]> {
  return Object.assign(
    {
      endpoint_hostname: ['api_token'],
      obs_otel_endpoint: ['obs_access_token'],
      platform_access_host: ['platform_access_token'],
      platform_ingest_url: ['platform_ingest_token'],
      endpoint_cert_filename_or_path: ['api_token'],
      endpoint_cert_check_hostname: ['api_token'],
    },
    ...Object.values(kinds).map(({ receives }) => receives),
  );
}

/** How receivers of secrets are verified. Plain http is never verified. */
export function secretTrust(kind: EngineKind, fields: Fields): Record<string, Trust> {
  const certificates = fields.endpoint_cert_filename_or_path;
  const https = isOn(fields.container_enable_https);
  const byName = isOn(fields.endpoint_cert_check_hostname);
  return {
    cluster_ca: { verify: kind.isVerified(fields), ca: fields.cluster_ca },
    // With neither setting the first certificate is trusted.
    endpoint_cert_filename_or_path: { verify: https && (certificates !== undefined || byName), ca: certificates },
    endpoint_cert_check_hostname: { verify: https && byName },
  };
}

/** Whether a change points to another engine or namespace, which leaves running containers behind. */
export function movesEngine(kind: EngineKind, before: Fields, after: Fields): boolean {
  const [old, now] = [kind.location(before), kind.location(after)];
  return Object.keys({ ...old, ...now }).some((part) => old[part] !== now[part]);
}

/** A container address is valid only while this value is unchanged. */
export const reachOf = (kind: EngineKind, fields: Fields): string =>
  JSON.stringify(kind.reach(fields, isOn(fields.container_enable_https)));
