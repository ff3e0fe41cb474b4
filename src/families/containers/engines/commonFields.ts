import { plainUrlProblem } from '../../../domain/url.ts';
import { type FieldTable, flag, host, oneOf, type SecretTable } from './field.ts';

/** Fields that mean the same whatever the engine. */
export const COMMON_FIELDS = {
  container_enable_https: {
    about: "'true' or 'false' (default): whether the application is told to serve https",
    rule: oneOf(['true', 'false']),
  },
  endpoint_hostname: { about: 'Host at which the platform reaches containers', rule: host },
  endpoint_hostname_external: { about: 'Host at which browsers reach containers', rule: host },
  cluster_ca: {
    about: 'CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder',
    isLong: true,
  },
  client_cert: {
    about: 'Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder',
    isLong: true,
  },
  obs_enabled: { about: 'Whether containers export traces', rule: flag },
  obs_otel_endpoint: { about: 'OTLP endpoint', rule: plainUrlProblem },
  obs_otel_service_name: { about: 'Service name of the traces' },
  platform_access_enabled: { about: 'Whether notebooks may search the platform', rule: flag },
  platform_access_host: { about: 'Host of the platform, as containers reach it', rule: host },
  platform_access_port: {
    about: 'Management port of the platform',
    rule: (value) =>
      /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
        ? undefined
        : 'must be a port, 1 to 65535',
  },
  platform_ingest_enabled: { about: 'Whether notebooks may send events to the platform', rule: flag },
  platform_ingest_url: { about: 'Ingest endpoint, as containers reach it', rule: plainUrlProblem },
  endpoint_cert_check_hostname: {
    about: "Whether the certificate of a container has to name its host; default 'false'",
    rule: flag,
  },
  endpoint_cert_filename_or_path: {
    about: 'Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder',
    isLong: true,
  },
} as const satisfies FieldTable;

export const COMMON_SECRETS = {
  api_token: 'Token of the application; 64 random characters if omitted',
  jupyter_passwd: 'Hashed Jupyter password',
  client_key: 'Private key: PEM, base64 of PEM, or the path of a file in an allowed folder',
  obs_access_token: 'Token for the OTLP endpoint',
  platform_access_token: 'Token for the platform',
  platform_ingest_token: 'Token for the ingest endpoint',
} as const satisfies SecretTable;

export const COMMON_DEFAULTS = { container_enable_https: 'false' } as const;
