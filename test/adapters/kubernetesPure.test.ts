import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import { expect } from 'chai';
import { identityToken } from '../../src/adapters/kubernetes/cloudIdentity.ts';
import * as make from '../../src/adapters/kubernetes/manifests.ts';
import { hostOf } from '../../src/adapters/kubernetes/manifests.ts';
import { deploymentState } from '../../src/adapters/kubernetes/state.ts';
import { WORKLOAD } from '../support/containers/workload.ts';
import { POD_STATUSES, QUOTA_STATUS } from './kubernetesStatuses.ts';

const OWNER = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'ml-m-12345678',
  uid: 'u',
  controller: false,
  blockOwnerDeletion: true,
};
const SCOPE_LABELS = {
  'app.kubernetes.io/managed-by': 'ml-extension',
  'ml-extension/installation': 'site',
  'ml-extension/connection': '2c2a4cb30ee1b5ee67e7d9d3a5c6b3a6',
};

describe('Kubernetes adapter, pure parts', () => {
  const labels = make.deployment(WORKLOAD, 'ns', true).metadata?.labels ?? {};

  it('listens on the port of the image and passes its arguments', () => {
    const workload = { ...WORKLOAD, facts: { api_port: '8080' }, arguments: ['--model', 'a b'] };
    const [container] = make.deployment(workload, 'ns', true).spec?.template.spec?.containers ?? [];
    expect(container?.args).to.deep.equal(['--model', 'a b']);
    expect(container?.ports?.map(({ name, containerPort }) => [name, containerPort])).to.deep.equal([
      ['api', 8080],
      ['mlflow', 6000],
    ]);
    expect(make.service(workload, 'ns', OWNER).spec?.ports?.[0]).to.include({ port: 5000, targetPort: 'api' });
  });

  it('makes a Deployment that is paused and holds no secret', () => {
    const made = make.deployment(WORKLOAD, 'ns', true);
    expect(Object.keys(labels)).to.have.members([
      ...Object.keys(SCOPE_LABELS),
      'ml-extension/model',
      'ml-extension/start',
    ]);
    for (const value of Object.values(labels)) expect(value).to.match(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    expect(made.metadata?.annotations).to.deep.equal({
      'ml-extension/connection-key': 'docker.local',
      'ml-extension/model-name': 'M',
      'ml-extension/settings': '{"mode":"DEV"}',
    });
    expect(made.spec).to.deep.equal({
      paused: true,
      replicas: 2,
      revisionHistoryLimit: 0,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { 'ml-extension/start': 'mark' } },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'splunk/mltk-container-golden-cpu:5.2.4',
              imagePullPolicy: 'IfNotPresent',
              ports: [
                { name: 'api', containerPort: 5000, protocol: 'TCP' },
                { name: 'mlflow', containerPort: 6000, protocol: 'TCP' },
              ],
              env: [
                { name: 'MODE_DEV_PROD', value: 'DEV' },
                { name: 'api_token', valueFrom: { secretKeyRef: { name: 'ml-m-12345678', key: 'api_token' } } },
              ],
              resources: {
                requests: { cpu: '500m', memory: '512Mi', 'nvidia.com/gpu': '1' },
                limits: { cpu: '1500m', memory: '4Gi', 'nvidia.com/gpu': '1' },
              },
              volumeMounts: [
                { name: 'data', mountPath: '/srv' },
                { name: 'shm', mountPath: '/dev/shm' },
              ],
              readinessProbe: { tcpSocket: { port: 'api' }, periodSeconds: 5, timeoutSeconds: 3 },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'] },
              },
            },
          ],
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: 'ml-data-1' } },
            { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
          ],
          securityContext: { fsGroup: 0 },
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 10,
          imagePullSecrets: [{ name: 'pull' }],
        },
      },
    });
    expect(JSON.stringify(made)).to.not.contain('c2VjcmV0').and.not.contain('"secret"');
    expect(make.deployment(WORKLOAD, 'ns', false).spec?.template.spec?.volumes?.[0]).to.deep.equal({
      name: 'data',
      emptyDir: {},
    });
  });

  it('makes what belongs to it', () => {
    const metadata = { name: 'ml-m-12345678', namespace: 'ns', labels, ownerReferences: [OWNER] };
    expect(make.secret(WORKLOAD, 'ns', OWNER)).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      data: { api_token: 'c2VjcmV0' },
    });
    expect(make.service(WORKLOAD, 'ns', OWNER)).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        type: 'ClusterIP',
        selector: { 'ml-extension/start': 'mark' },
        ports: [
          { name: 'api', port: 5000, targetPort: 'api', protocol: 'TCP' },
          { name: 'mlflow', port: 6060, targetPort: 'mlflow', protocol: 'TCP' },
        ],
      },
    });
    const backend = (name: string) => ({
      path: '/',
      pathType: 'Prefix',
      backend: { service: { name: 'ml-m-12345678', port: { name } } },
    });
    expect(make.ingress(WORKLOAD, 'ns', OWNER)).to.deep.equal({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...metadata, annotations: { 'a/b': 'c' } },
      spec: {
        rules: [
          { host: 'ml-m-12345678-api.example.com', http: { paths: [backend('api')] } },
          { host: 'ml-m-12345678-mlflow.example.com', http: { paths: [backend('mlflow')] } },
        ],
      },
    });
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'ml-m-12345678' };
    expect(make.autoscaler(WORKLOAD, 'ns', OWNER).spec).to.deep.equal({
      scaleTargetRef,
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    });
    expect(make.oldAutoscaler(WORKLOAD, 'ns', OWNER).spec).to.deep.equal({
      scaleTargetRef,
      minReplicas: 2,
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 70,
    });
    const claim = make.claim(WORKLOAD, 'ns', 'fast');
    expect(claim.metadata).to.not.have.property('ownerReferences');
    expect(claim.spec).to.deep.equal({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
      storageClassName: 'fast',
    });
  });

  it('makes hosts of a pattern', () => {
    expect(hostOf('*.example.com', 'm', 'api', 'ns')).to.equal('m-api.example.com');
    expect(hostOf('{port}.{name}.{namespace}.example', 'm', 'spark', 'ns')).to.equal('spark.m.ns.example');
    expect(hostOf('{name}.example', 'm', 'api', 'ns')).to.equal('m.example');
    expect(hostOf('{name}.example', 'm', 'jupyter', 'ns')).to.equal('jupyter-m.example');
  });

  describe('judges recorded objects of a real cluster', () => {
    const judge = (deployment: unknown, pods: readonly unknown[], now: number) =>
      deploymentState(
        { deployment: deployment as V1Deployment, pods: pods as V1Pod[], service: undefined, ingress: undefined },
        { connectionKey: 'k' },
        now,
      );
    const stateOf = (name: keyof typeof POD_STATUSES, now = Date.now()) =>
      judge({ spec: { replicas: 1 } }, [{ status: POD_STATUSES[name] }], now);

    const expected = {
      badimg: ['failed', 'image_pull_failed'],
      badname: ['failed', 'image_name_invalid'],
      never: ['failed', 'image_not_found'],
      crash: ['failed', 'crash_loop'],
      oom: ['failed', 'oom_killed'],
      nosecret: ['failed', 'config_missing'],
      probe: ['running', 'starting'],
      unsched: ['failed', 'unschedulable'],
      gpu: ['failed', 'unschedulable'],
      pvc: ['failed', 'volume_unbound'],
    } as const;
    for (const [name, [phase, reason]] of Object.entries(expected)) {
      it(`${name}: ${reason || phase}`, () => {
        const state = stateOf(name as keyof typeof expected);
        expect({ phase: state.phase, reason: state.reason }).to.deep.equal({ phase, reason });
        if (phase === 'failed') expect(state.message).to.not.equal('');
      });
    }

    it('ok: runs, and waits for the address of a load balancer alone', () => {
      expect(stateOf('ok')).to.include({ phase: 'running', reason: 'lb_pending' });
    });

    it('waits two minutes for a place before it is a failure', () => {
      const { conditions } = POD_STATUSES.unsched;
      const since = new Date(conditions[0]?.lastTransitionTime ?? 0).getTime();
      expect(stateOf('unsched', since + 119_000)).to.include({ phase: 'pending', reason: 'scheduling' });
      expect(stateOf('unsched', since + 121_000)).to.include({ phase: 'failed', reason: 'unschedulable' });
      expect(stateOf('pvc', 0)).to.include({ phase: 'pending', reason: 'volume_pending' });
    });

    it('a quota that lets no pod in: the Deployment alone says so', () => {
      const state = judge({ spec: { replicas: 1 }, status: QUOTA_STATUS }, [], 0);
      expect(state).to.include({ phase: 'failed', reason: 'quota_exceeded' });
      expect(state.message).to.contain('exceeded quota');
    });
  });

  it('signs an identity token for one cluster', async () => {
    const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
    const token = await identityToken('eu-west-1', 'prod', keys, new Date('2026-11-20T12:00:00Z'));
    expect(token).to.match(/^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
    const url = new URL(Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString());
    expect(url.origin).to.equal('https://sts.eu-west-1.amazonaws.com');
    expect(Object.fromEntries(url.searchParams)).to.deep.include({
      Action: 'GetCallerIdentity',
      Version: '2011-06-15',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIDEXAMPLE/20261120/eu-west-1/sts/aws4_request',
      'X-Amz-Date': '20261120T120000Z',
      'X-Amz-Expires': '60',
      'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    });
    expect(url.searchParams.get('X-Amz-Signature')).to.equal(await expectedSignature(url, keys.secretAccessKey));
    expect(url.searchParams.has('x-k8s-aws-id')).to.equal(false);
  });
});

/** SigV4 by its specification, written anew: the two ends of the protocol share no code. */
async function expectedSignature(url: URL, secret: string): Promise<string> {
  const { createHash, createHmac } = await import('node:crypto');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const empty = createHash('sha256').update('').digest('hex');
  const canonical = ['GET', '/', query, `host:${url.host}`, 'x-k8s-aws-id:prod', '', 'host;x-k8s-aws-id', empty].join(
    '\n',
  );
  const scope = '20261120/eu-west-1/sts/aws4_request';
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', '20261120T120000Z', scope, hashed].join('\n');
  const key = ['20261120', 'eu-west-1', 'sts', 'aws4_request'].reduce<string | Buffer>(
    (last, part) => hmac(last, part),
    `AWS4${secret}`,
  );
  return createHmac('sha256', key).update(text).digest('hex');
}
