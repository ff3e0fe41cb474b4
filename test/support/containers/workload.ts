import type { Workload } from '../../../src/ports/engines/containerEngine.ts';

/** A workload with every field set. */
export const WORKLOAD: Workload = {
  installation: 'site',
  connectionKey: 'docker.local',
  name: 'ml-m-12345678',
  model: 'M',
  mark: 'mark',
  facts: { mode: 'DEV' },
  arguments: [],
  image: 'splunk/mltk-container-golden-cpu:5.2.4',
  ports: ['api', 'mlflow'],
  environment: { MODE_DEV_PROD: 'DEV' },
  secretEnvironment: { api_token: 'secret' },
  resources: { minCpu: 500, maxCpu: 1500, minMemory: '512Mi', maxMemory: '4Gi', nvidia: true },
  docker: {
    hostIp: '127.0.0.1',
    volume: 'ml-data-local-1',
    network: 'net',
    log: { url: 'https://log:8088', token: 'log-token' },
  },
  kubernetes: {
    serviceType: 'ingress',
    hostPattern: '*.example.com',
    ingressAnnotations: { 'a/b': 'c' },
    imagePullSecrets: ['pull'],
    claim: 'ml-data-1',
    security: 'default',
    replicas: 2,
    autoscale: { max: 5, cpuPercent: 70 },
  },
};
