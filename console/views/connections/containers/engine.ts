import type { Section } from '../../../parts/form/spec.ts';
import { every, FILE, field, is, isDocker, isKubernetes, isSwitchedOn, onOff } from './fields.ts';

const isInside = isSwitchedOn('in_cluster_mode');
const signsInBy = (...modes: readonly string[]) => every(isKubernetes, is('auth_mode', ...modes));
const isInCloud = signsInBy('cloud-iam');

const CERTIFICATE = { area: true, help: FILE } as const;
const KEY = { area: true, help: `${FILE}; without a password` } as const;
const API_ADDRESS = { placeholder: 'https://kubernetes.example.com:6443', help: 'URL of the Kubernetes API' };

const docker: Section = {
  title: 'Docker engine',
  showIf: isDocker,
  fields: [
    field('docker_url', 'Docker URL', {
      required: true,
      placeholder: 'tcp://docker.example.com:2376',
      help: 'unix:///path, tcp://host:port or https://host:port; port 2376 implies TLS',
    }),
    field('docker_network', 'Network', { help: 'Existing network for the containers' }),
  ],
};

const kubernetes: Section = {
  title: 'Kubernetes cluster',
  showIf: isKubernetes,
  fields: [
    field('auth_mode', 'Authentication', {
      kind: 'choice',
      required: true,
      options: {
        'cert-key': 'Client certificate and key',
        'user-token': 'Bearer token',
        'user-login': 'User name and password',
        'cloud-iam': 'Cloud IAM (Amazon EKS)',
        'service-account': 'Service account',
      },
    }),
    field('namespace', 'Namespace', { help: 'Existing namespace for all objects' }),
    onOff('in_cluster_mode', 'The platform runs in this cluster', {
      help: 'Uses the cluster URL and service account token of its pod',
    }),
    field('cluster_url', 'Cluster URL', {
      ...API_ADDRESS,
      required: true,
      showIf: (values) => !isInside(values) && !isInCloud(values),
    }),
    field('cluster_url', 'Cluster URL', {
      ...API_ADDRESS,
      help: 'Leave empty to look it up by cluster name',
      showIf: (values) => !isInside(values) && isInCloud(values),
    }),
  ],
};

const signIn: Section = {
  title: 'Sign-in',
  showIf: signsInBy('cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account'),
  fields: [
    field('client_cert', 'Client certificate', {
      ...CERTIFICATE,
      required: true,
      showIf: signsInBy('cert-key'),
    }),
    field('client_key', 'Client key', { ...KEY, required: true, showIf: signsInBy('cert-key') }),
    field('user_token', 'Bearer token', { required: true, help: '', showIf: signsInBy('user-token') }),
    field('user_name', 'User name', { required: true, help: '', showIf: signsInBy('user-login') }),
    field('user_password', 'Password', { required: true, help: '', showIf: signsInBy('user-login') }),
    field('cloud_cluster_name', 'Cluster name', {
      required: true,
      help: '',
      showIf: isInCloud,
    }),
    field('cloud_region_name', 'Region', { required: true, placeholder: 'eu-west-1', help: '', showIf: isInCloud }),
    field('cloud_access_key_id', 'Access key id', {
      help: 'Leave empty to use the role of the machine',
      showIf: isInCloud,
    }),
    field('cloud_secret_access_key', 'Secret access key', {
      help: 'Required with an access key id',
      showIf: isInCloud,
    }),
    field('service_account_token', 'Service account token', {
      required: true,
      help: '',
      showIf: every(signsInBy('service-account'), (values) => !isInside(values)),
    }),
    field('service_account_token', 'Service account token', {
      help: 'Leave empty to use the token of the pod',
      showIf: every(signsInBy('service-account'), isInside),
    }),
  ],
};

const certificates: Section = {
  title: 'Certificates',
  fields: [
    field('cluster_ca', 'CA certificates', {
      area: true,
      help: `Replaces the system CA certificates: ${FILE}`,
    }),
    field('client_cert', 'Client certificate', { ...CERTIFICATE, showIf: isDocker }),
    field('client_key', 'Client key', { ...KEY, showIf: isDocker }),
  ],
};

export const ENGINE: readonly Section[] = [docker, kubernetes, signIn, certificates];
