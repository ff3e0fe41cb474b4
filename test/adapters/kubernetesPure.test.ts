import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import { expect } from 'chai';
import { identityToken } from '../../src/adapters/kubernetes/cloudIdentity.ts';
import { logLines } from '../../src/adapters/kubernetes/logs.ts';
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

  it('satisfies the rules of the cluster that the connection names', () => {
    const spec = (security: 'default' | 'restricted' | 'openshift', persistent: boolean) => {
      const kubernetes = { ...make.kubernetesPart(WORKLOAD), security };
      const made = make.deployment({ ...WORKLOAD, kubernetes }, 'ns', persistent).spec?.template.spec;
      return [made?.securityContext, made?.containers[0]?.securityContext];
    };
    const strict = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
    const none = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    const some = { allowPrivilegeEscalation: false, capabilities: { drop: ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'] } };
    expect(spec('default', true)).to.deep.equal([{ fsGroup: 0 }, some]);
    expect(spec('default', false)).to.deep.equal([undefined, some]);
    expect(spec('restricted', true)).to.deep.equal([{ fsGroup: 0, ...strict }, none]);
    expect(spec('restricted', false)).to.deep.equal([strict, none]);
    for (const persistent of [true, false]) expect(spec('openshift', persistent)).to.deep.equal([strict, none]);
  });

  it('reads lines of which each piece has a stamp, in bytes', () => {
    const stamp = (second: number) => `2026-01-01T00:00:0${second}.123456789Z `;
    const time = stamp(0).trim();
    const long = (unit: string, bytes: number) => unit.repeat(bytes / Buffer.byteLength(unit));
    const read = (text: string | Buffer) => logLines(Buffer.from(text));
    const line = `${stamp(0)}${'a'.repeat(16_384)}${stamp(1)}${'b'.repeat(100)}\n`;
    expect(read(line)).to.deep.equal([{ time, line: 'a'.repeat(16_384) + 'b'.repeat(100) }]);
    for (const size of [4096, 8192, 16_384]) {
      const pieces = ['é', 'b', 'c'].map((unit, index) => `${stamp(index)}${long(unit, size)}`);
      expect(read(`${pieces.join('')}${stamp(3)}end\r\n${stamp(4)}next`), String(size)).to.deep.equal([
        { time, line: `${long('é', size)}${long('b', size)}${long('c', size)}end` },
        { time: stamp(4).trim(), line: 'next' },
      ]);
    }
    // A piece may end within a character.
    const rocket = Buffer.from('🚀');
    const cut = [`${stamp(0)}${'a'.repeat(16_382)}`, rocket.subarray(0, 2), stamp(1), rocket.subarray(2), '\n'];
    expect(read(Buffer.concat(cut.map((part) => Buffer.from(part))))).to.deep.equal([
      { time, line: `${'a'.repeat(16_382)}🚀` },
    ]);
    // Stamps of the application stay.
    for (const text of [
      `${stamp(1)}ready`,
      `${'a'.repeat(100)}${stamp(1)}ready`,
      `${'a'.repeat(16_383)}${stamp(1)}`,
      `${'a'.repeat(16_384)}2025-01-01T00:00:00Z older`,
    ])
      expect(read(`${stamp(0)}${text}\n`)).to.deep.equal([{ time, line: text }]);
    expect(read(`${stamp(0)}dos\r\n\n${stamp(1)}\n${time}`)).to.deep.equal([
      { time, line: 'dos' },
      { time: stamp(1).trim(), line: '' },
      { time, line: '' },
    ]);
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

    const pod = (phase: string, more: object = {}, name = 'p') => ({ metadata: { name }, status: { phase, ...more } });
    const EVICTED = pod('Failed', {
      reason: 'Evicted',
      message: 'The node was low on resource: memory.',
      hostIP: '10.0.0.1',
      containerStatuses: [{ restartCount: 0, state: { terminated: { exitCode: 137, reason: 'Error' } } }],
    });
    const waiting = (reason: string) => ({ containerStatuses: [{ restartCount: 0, state: { waiting: { reason } } }] });

    it('a pod that is over decides only while it has no replacement', () => {
      const over = [EVICTED, pod('Failed', { reason: 'NodeShutdown' }), pod('Succeeded')];
      const creating = pod('Pending', waiting('ContainerCreating'));
      const ready = pod('Running', { conditions: [{ type: 'Ready', status: 'True' }] });
      const crashing = pod('Running', waiting('CrashLoopBackOff'));
      for (const ended of over) {
        for (const [live, phase, reason] of [
          [creating, 'pending', 'starting'],
          [ready, 'running', 'lb_pending'],
          [crashing, 'failed', 'crash_loop'],
          [pod('Pending'), 'pending', 'starting'],
        ] as const) {
          for (const pods of [
            [ended, live],
            [live, ended],
          ])
            expect(judge({ spec: { replicas: 1 } }, pods, 0)).to.include({ phase, reason });
        }
      }
      const alone = judge({ spec: { replicas: 1 } }, [EVICTED], 0);
      expect(alone).to.include({ phase: 'failed', reason: 'evicted' });
      expect(alone.message).to.equal('Evicted: The node was low on resource: memory.');
      const shut = judge({ spec: { replicas: 1 } }, [pod('Failed', { reason: 'NodeShutdown' })], 0);
      expect([shut.reason, shut.message]).to.deep.equal(['evicted', 'NodeShutdown']);
      const { reason: _, ...crashed } = EVICTED.status as { reason?: string };
      expect(judge({ spec: { replicas: 1 } }, [{ status: crashed }], 0)).to.include({ reason: 'crashed' });
      // A pod that is being deleted is no replacement.
      const leaving = { ...creating, metadata: { deletionTimestamp: new Date() } };
      expect(judge({ spec: { replicas: 1 } }, [EVICTED, leaving], 0)).to.include({ reason: 'evicted' });
    });

    it('waits for a volume where the scheduler or the claim of the pod says so', () => {
      const unscheduled = (message: string) => ({
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'srv' } }] },
        status: {
          conditions: [{ type: 'PodScheduled', status: 'False', message, lastTransitionTime: new Date(0) }],
        },
      });
      const reason = (message: string, now: number, claims?: object[]) =>
        deploymentState(
          {
            deployment: { spec: { replicas: 1 } } as V1Deployment,
            pods: [unscheduled(message)] as V1Pod[],
            service: undefined,
            ingress: undefined,
            claims: claims as never,
          },
          { connectionKey: 'k' },
          now,
        ).reason;
      const claim = (name: string, phase: string) => ({ metadata: { name }, status: { phase } });
      for (const message of [
        "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.",
        '0/1 nodes are available: 1 node(s) did not have enough free storage.',
        '0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.',
        'persistentvolumeclaim "srv" not found',
        '0/2 nodes are available: 2 node(s) had volume node affinity conflict.',
        '0/2 nodes are available: 2 node(s) exceed max volume count.',
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't find available persistent volumes to bind.",
        '0/1 nodes are available: 1 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s).',
      ]) {
        expect(reason(message, 1000), message).to.equal('volume_pending');
        expect(reason(message, 121_000), message).to.equal('volume_unbound');
      }
      for (const message of ['0/1 nodes are available: 1 Insufficient cpu.', '1 Insufficient ephemeral-storage']) {
        expect(reason(message, 1000, [claim('srv', 'Pending')]), message).to.equal('scheduling');
        expect(reason(message, 121_000), message).to.equal('unschedulable');
      }
      expect(reason('0/1 nodes are available: not yet.', 1000, [claim('srv', 'Pending')])).to.equal('volume_pending');
      for (const claims of [[claim('srv', 'Bound')], [claim('other', 'Pending')], [], undefined])
        expect(reason('0/1 nodes are available: not yet.', 1000, claims)).to.equal('scheduling');
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
