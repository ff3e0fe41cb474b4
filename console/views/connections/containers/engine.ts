import type { Section } from '../../../parts/form/spec.ts';
import { all, FILE, is, isDocker, isKubernetes, isSwitchedOn, onOff, place } from './places.ts';

const isInside = isSwitchedOn('in_cluster_mode');
const signsInBy = (...modes: readonly string[]) => all(isKubernetes, is('auth_mode', ...modes));
const isInCloud = signsInBy('cloud-iam');

const CERTIFICATE = { area: true, help: FILE } as const;
const KEY = { area: true, help: `${FILE}; it must have no password` } as const;
const API_ADDRESS = { placeholder: 'https://kubernetes.example.com:6443', help: 'Address of its API' };

const docker: Section = {
  title: 'Docker engine',
  showIf: isDocker,
  places: [
    place('docker_url', 'Address of the engine', {
      required: true,
      placeholder: 'tcp://docker.example.com:2376',
      help: 'unix:///path, tcp://host:port or https://host:port; port 2376 means TLS',
    }),
    place('docker_network', 'Network', { help: 'Network that the containers join; it has to exist' }),
  ],
};

const kubernetes: Section = {
  title: 'Kubernetes cluster',
  showIf: isKubernetes,
  places: [
    place('auth_mode', 'How the app signs in', {
      kind: 'choice',
      required: true,
      options: {
        'cert-key': 'Client certificate and key',
        'user-token': 'Bearer token',
        'user-login': 'User name and password',
        'cloud-iam': 'Role or keys of the cloud (Amazon EKS)',
        'service-account': 'Service account',
      },
      help: 'How the app shows the cluster who it is',
    }),
    place('namespace', 'Namespace', { help: 'Everything is made in it; it has to exist' }),
    onOff('in_cluster_mode', 'The platform itself runs as a pod of this cluster', {
      help: 'The address and, for a service account, the token are then those of the pod',
    }),
    place('cluster_url', 'Address of the cluster', {
      ...API_ADDRESS,
      required: true,
      showIf: (values) => !isInside(values) && !isInCloud(values),
    }),
    place('cluster_url', 'Address of the cluster', {
      ...API_ADDRESS,
      help: 'Found by the name of the cluster if it is left empty',
      showIf: (values) => !isInside(values) && isInCloud(values),
    }),
  ],
};

const signIn: Section = {
  title: 'Sign-in',
  showIf: signsInBy('cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account'),
  places: [
    place('client_cert', 'Certificate of the app', {
      ...CERTIFICATE,
      required: true,
      showIf: signsInBy('cert-key'),
    }),
    place('client_key', 'Private key of that certificate', { ...KEY, required: true, showIf: signsInBy('cert-key') }),
    place('user_token', 'Bearer token', { required: true, help: '', showIf: signsInBy('user-token') }),
    place('user_name', 'User name', { required: true, help: '', showIf: signsInBy('user-login') }),
    place('user_password', 'Password', { required: true, help: '', showIf: signsInBy('user-login') }),
    place('cloud_cluster_name', 'Name of the cluster in the cloud', {
      required: true,
      help: '',
      showIf: isInCloud,
    }),
    place('cloud_region_name', 'Region', { required: true, placeholder: 'eu-west-1', help: '', showIf: isInCloud }),
    place('cloud_access_key_id', 'Access key id', {
      help: "Without keys the machine's own role is used",
      showIf: isInCloud,
    }),
    place('cloud_secret_access_key', 'Secret access key', { help: 'Goes with the access key id', showIf: isInCloud }),
    place('service_account_token', 'Token of the service account', {
      required: true,
      help: '',
      showIf: all(signsInBy('service-account'), (values) => !isInside(values)),
    }),
    place('service_account_token', 'Token of the service account', {
      help: "The pod's own is used if it is left empty",
      showIf: all(signsInBy('service-account'), isInside),
    }),
  ],
};

const certificates: Section = {
  title: 'Certificates',
  places: [
    place('cluster_ca', 'Certificates that the engine is verified with', {
      area: true,
      help: `In place of the usual ones: ${FILE}`,
    }),
    place('client_cert', 'Certificate of the app', { ...CERTIFICATE, showIf: isDocker }),
    place('client_key', 'Private key of that certificate', { ...KEY, showIf: isDocker }),
  ],
};

/** Which engine it is, and how the app is let in. */
export const ENGINE: readonly Section[] = [docker, kubernetes, signIn, certificates];
