/** Fields of a container connection, in the order of the interface. All values are texts. */
export const OPEN_FIELDS = {
  docker_url: 'Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port]',
  container_enable_https: "'true' or 'false' (default): whether the application is told to serve https",
  endpoint_hostname: 'Host at which the platform reaches containers',
  endpoint_hostname_external: 'Host at which browsers reach containers',
  docker_network: 'Docker network that containers join; it has to exist',
  docker_logging_endpoint_hostname:
    'Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088)',
  auth_mode: 'cert-key, user-token, user-login, cloud-iam or service-account (kubernetes)',
  cluster_url: 'Address of the cluster API',
  cluster_ca: 'CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder',
  client_cert: 'Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder',
  user_name: 'User (user-login)',
  cloud_cluster_name: 'Name of the cluster (cloud-iam)',
  cloud_access_key_id: 'Access key id (cloud-iam); without keys the own role of the instance',
  cloud_region_name: 'Region (cloud-iam)',
  image_pull_secrets: "'None' (default) or names of secrets, comma-separated",
  in_cluster_mode: "'1': the platform runs as a pod of the cluster; default '0'",
  namespace: "Namespace; default 'default'",
  storage_class: 'Storage class of the volume for /srv',
  service_type: 'nodeport (default), loadbalancer or ingress',
  ingress_host_pattern: 'Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too',
  ingress_annotations: 'JSON object in a text',
  node_port_hostname_internal: 'Host at which the platform reaches node ports',
  node_port_hostname_external: 'Host at which browsers reach node ports',
  obs_enabled: 'Whether containers export traces',
  obs_otel_endpoint: 'OTLP endpoint',
  obs_otel_service_name: 'Service name of the traces',
  platform_access_enabled: 'Whether notebooks may search the platform',
  platform_access_host: 'Host of the platform, as containers reach it',
  platform_access_port: 'Management port of the platform',
  platform_ingest_enabled: 'Whether notebooks may send events to the platform',
  platform_ingest_url: 'Ingest endpoint, as containers reach it',
  endpoint_cert_check_hostname: "Whether the certificate of a container has to name its host; default 'false'",
  endpoint_cert_filename_or_path:
    'Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder',
} as const;

export const SECRET_FIELDS = {
  api_token: 'Token of the application; 64 random characters when omitted',
  jupyter_passwd: 'Hashed Jupyter password',
  docker_logging_platform_token: 'Ingest token of the Docker log driver',
  client_key: 'Private key: PEM, base64 of PEM, or the path of a file in an allowed folder',
  user_token: 'Bearer token (user-token)',
  user_password: 'Password (user-login)',
  cloud_secret_access_key: 'Secret access key (cloud-iam)',
  service_account_token: 'Token (service-account)',
  obs_access_token: 'Token for the OTLP endpoint',
  platform_access_token: 'Token for the platform',
  platform_ingest_token: 'Token for the ingest endpoint',
} as const;

export type OpenField = keyof typeof OPEN_FIELDS;
export type SecretField = keyof typeof SECRET_FIELDS;
export const OPEN_NAMES = Object.keys(OPEN_FIELDS) as OpenField[];

export const CONTAINER_TYPES = ['docker', 'kubernetes'] as const;
export type ContainerType = (typeof CONTAINER_TYPES)[number];
export const AUTH_MODES = ['cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];
export const SERVICE_TYPES = ['ingress', 'nodeport', 'loadbalancer'] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];

export type Fields = { [K in OpenField]?: string };

/** What is filled in when a connection is made. */
export const DEFAULTS: Readonly<Record<ContainerType, Fields>> = {
  docker: { container_enable_https: 'false' },
  kubernetes: {
    container_enable_https: 'false',
    image_pull_secrets: 'None',
    in_cluster_mode: '0',
    namespace: 'default',
    service_type: 'nodeport',
  },
};
