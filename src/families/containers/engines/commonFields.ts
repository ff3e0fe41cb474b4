import { plainUrlProblem } from '../../../domain/net/url.ts';
import { type FieldTable, flag, flagOf, host, type SecretTable } from './field.ts';

/** Fields of all engines. */
export const COMMON_FIELDS = {
  container_enable_https: {
    about: 'Whether the application is told to serve https',
    ...flagOf('true', 'false'),
  },
  endpoint_hostname: {
    about: "Host at which the platform reaches containers; the engine's own unless given",
    rule: host,
  },
  endpoint_hostname_external: {
    about: 'Host at which browsers reach containers; endpoint_hostname unless given',
    rule: host,
  },
  cluster_ca: {
    about:
      'CA certificates that the engine is verified with, instead of those of the system: PEM, base64 of PEM, or the path of a file in an allowed folder',
    isLong: true,
  },
  client_cert: {
    about: 'Certificate that the app shows the engine: PEM, base64 of PEM, or the path of a file in an allowed folder',
    isLong: true,
  },
  obs_enabled: { about: 'Whether containers export traces', ...flag },
  obs_otel_endpoint: { about: 'Address that containers send their traces to, over OTLP', rule: plainUrlProblem },
  obs_otel_service_name: { about: 'Service that the traces are filed under' },
  platform_access_enabled: { about: 'Whether notebooks may search the platform', ...flag },
  platform_access_host: { about: 'Host of the platform, as containers reach it', rule: host },
  platform_access_port: {
    about: 'Management port of the platform',
    rule: (value) =>
      /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
        ? undefined
        : 'must be a port, 1 to 65535',
    form: { pattern: '^[0-9]{1,5}$' },
  },
  platform_ingest_enabled: { about: 'Whether notebooks may send events to the platform', ...flag },
  platform_ingest_url: {
    about: 'Address that notebooks send events to, as containers reach it',
    rule: plainUrlProblem,
  },
  endpoint_cert_check_hostname: {
    about: "Whether the certificate of a container has to name its host; 'false' unless given",
    ...flag,
  },
  endpoint_cert_filename_or_path: {
    about: 'Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder',
    isLong: true,
  },
} as const satisfies FieldTable;

export const COMMON_SECRETS = {
  api_token: 'Token that the application asks for; 64 random characters where there would be none',
  jupyter_passwd: 'Hash of the Jupyter password, in the form that the application takes',
  client_key: 'Private key of client_cert: PEM, base64 of PEM, or the path of a file in an allowed folder',
  obs_access_token: 'Token for obs_otel_endpoint',
  platform_access_token: 'Token with which notebooks search the platform',
  platform_ingest_token: 'Token for platform_ingest_url',
} as const satisfies SecretTable;

export const COMMON_DEFAULTS = { container_enable_https: 'false' } as const;
