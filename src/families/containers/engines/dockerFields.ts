import { dockerAddress, logEndpoint } from './dockerAddress.ts';
import { address, type FieldTable, matching, type SecretTable } from './field.ts';

export const DOCKER_FIELDS = {
  docker_url: {
    about: 'Address of the Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port]',
    rule: address(dockerAddress),
    form: { pattern: '^(/[^ ]+|(unix|[Tt][Cc][Pp]|[Hh][Tt][Tt][Pp][Ss]?)://[^ ]+)$' },
  },
  docker_network: {
    about: 'Docker network that containers join; it has to exist',
    ...matching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'the name of a Docker network'),
  },
  docker_logging_endpoint_hostname: {
    about: 'Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088)',
    rule: address(logEndpoint),
    needs: { field: 'docker_logging_platform_token', why: 'for the log driver' },
  },
} as const satisfies FieldTable;

export const DOCKER_SECRETS = {
  docker_logging_platform_token: 'Ingest token of the Docker log driver',
} as const satisfies SecretTable;
