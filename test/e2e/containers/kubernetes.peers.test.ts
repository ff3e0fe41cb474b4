import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { sendJson, startHttp } from '../../support/peers/listen.ts';
import { eventually } from '../../support/time.ts';
import {
  addTestImages,
  ContainerClient,
  cleanCluster,
  credential,
  expectFail,
  KUBE_INSTALLATION,
  needsKubernetes,
  ourObjects,
  type Payload,
  type TestCluster,
  testCluster,
} from './containerSupport.ts';

const SMALL = { cluster: 'kubernetes', min_cpu: '10m', max_cpu: '500m', min_memory: '16Mi', max_memory: '128Mi' };
const TOKEN = 'canary-api-token-of-the-cluster';

describe('containers on Kubernetes', function () {
  this.timeout(300_000);
  let platform: TestPlatform;
  let client: ContainerClient;
  let cluster: TestCluster;
  let installation = '';
  const namespace = `ml-e2e-${process.pid}`;
  const quota = `${namespace}-quota`;
  const connection = (): Payload => ({
    container_type: 'kubernetes',
    connection_name: 'cluster',
    cluster_url: 'https://127.0.0.1:6443',
    cluster_ca: credential('ca.crt'),
    auth_mode: 'cert-key',
    client_cert: Buffer.from(credential('admin.crt')).toString('base64'),
    client_key: credential('admin.key'),
    namespace,
    api_token: TOKEN,
  });

  before(async function () {
    needsKubernetes(this);
    cluster = testCluster();
    await cluster.core.createNamespace({ body: { metadata: { name: namespace } } });
    platform = await startPlatform();
    client = new ContainerClient(platform);
    await addTestImages(platform);
    const reply = await client.test(connection());
    expect(reply.status, reply.text).to.equal(200);
  });

  after(async () => {
    if (platform) {
      installation ||= await client.installation();
      await platform.dispose();
      await cleanCluster(cluster, namespace, installation);
    }
    for (const name of cluster ? [namespace, quota] : []) await cluster.core.deleteNamespace({ name }).catch(() => {});
  });

  afterEach(async () => {
    if (client) await client.stopAll();
  });

  const start = (model: string, more: Payload = {}) =>
    client.start({ image: 'golden-cpu', model, connection_name: 'cluster', ...SMALL, ...more });
  const objects = async () => ourObjects(cluster, namespace, await client.installation());

  it('starts, becomes Active, logs and stops several models at once', async () => {
    const models = ['__dev__', 'Two.0'];
    const replies = await Promise.all(
      models.map((model, index) => start(model, { mode: index === 0 ? 'DEV' : 'PROD' })),
    );
    for (const [index, reply] of replies.entries()) {
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json.updated_config).to.include({ status: 'Waiting for Url to start', cluster: 'kubernetes' });
      expect(reply.json.updated_config.api_url).to.match(/^http:\/\/127\.0\.0\.1:3\d{4}$/);
      expect(reply.json.updated_config.jupyter_url).to.match(index === 0 ? /^http:/ : /^$/);
      expect(reply.json.warnings.join()).to.contain('storage class');
    }
    const active = await Promise.all(models.map((model) => client.until(model, 'Active')));
    for (const record of active) {
      expect(record).to.include({ restarts: '0', min_memory: '16Mi', probe_error: '' });
      for (const value of Object.values(record)) expect(value).to.be.a('string');
    }
    const logs = (await client.logs({ model: '__dev__' })).json.container_logs.entries;
    expect(logs.map((entry: { log: string }) => entry.log)).to.include('testbed container 5.2.4 starting in mode DEV');
    for (const { _time } of logs) expect(_time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const stopped = await Promise.all(models.map((model) => client.stop(model)));
    expect(stopped.map((reply) => reply.json.previous_status)).to.deep.equal(['Active', 'Active']);
    expect(await objects()).to.deep.equal([]);
    expect((await client.data()).json.config).to.deep.equal({});
  });

  it('keeps secrets in a Secret that goes with its Deployment', async () => {
    await start('secretive', { hpa_enabled: '1', max_replicas: '3', cpu_threshold_percent: '70' });
    const labelSelector = `${KUBE_INSTALLATION}=${await client.installation()}`;
    const { items } = await cluster.apps.listNamespacedDeployment({ namespace, labelSelector });
    const text = JSON.stringify(items);
    expect(text).to.not.contain(TOKEN);
    expect(text).to.not.contain(Buffer.from(TOKEN).toString('base64'));
    expect(text).to.not.contain('PRIVATE KEY');
    const secrets = await cluster.core.listNamespacedSecret({ namespace, labelSelector });
    expect(secrets.items.map((secret) => Object.keys(secret.data ?? {}))).to.deep.equal([['api_token']]);
    expect(Buffer.from(secrets.items[0]?.data?.api_token ?? '', 'base64').toString()).to.equal(TOKEN);
    expect(secrets.items[0]?.metadata?.ownerReferences?.[0]?.kind).to.equal('Deployment');
    expect((await client.record('secretive')).hpa_enabled).to.equal('1');
    expect(platform.log()).to.not.contain(TOKEN);
    expect((await client.stop('secretive')).status).to.equal(200);
    expect(await objects()).to.deep.equal([]);
  });

  it('says why a pod does not come up', async () => {
    const cases = [
      ['crash', { image: 'crash' }, ['crash_loop', 'crashed'], /exit code 3/],
      ['oom', { image: 'oom', max_memory: '64Mi' }, ['oom_killed'], /memory/],
      [
        'absent',
        { image: 'agentic-ai-debian' },
        ['image_pull_failed', 'image_not_found'],
        /^(ErrImagePull|ImagePullBackOff): /,
      ],
    ] as const;
    await Promise.all(cases.map(([model, more]) => start(model, more)));
    for (const [model, , reasons, message] of cases) {
      const record = await client.until(model, 'Failed', 120_000);
      expect(record.status_reason, model).to.be.oneOf([...reasons]);
      expect(record.status_message, model).to.match(message);
    }
    const pull = (await client.logs({ model: 'absent' })).json.container_logs.entries;
    expect(pull.map((entry: { log: string }) => entry.log).join('\n')).to.match(
      /^\[event\] Pulling: .*agentic-ai-debian/m,
    );
    await eventually(
      async () => {
        const reply = await client.logs({ model: 'crash', previous: 'true' });
        return reply.json.container_logs.entries.some((entry: { log: string }) => entry.log.includes('giving up'));
      },
      60_000,
      'the log of the crashed run',
    );
    expect(Number((await client.record('crash')).restarts)).to.be.greaterThan(0);
  });

  it('waits for capacity and reports it', async () => {
    await start('huge', { min_cpu: '900000m', max_cpu: '900000m' });
    await eventually(async () => (await client.record('huge')).status_reason === 'scheduling', 30_000, 'scheduling');
    const record = await client.record('huge');
    expect(record.status).to.equal('Waiting for Url to start');
    expect(record.status_message).to.contain('Insufficient cpu');
    const events = (await client.logs({ model: 'huge' })).json.container_logs.entries;
    expect(events.map((entry: { log: string }) => entry.log).join('\n')).to.contain('[event] FailedScheduling: ');
  });

  it('reports a quota that admits no pod', async () => {
    await cluster.core.createNamespace({ body: { metadata: { name: quota } } });
    await cluster.core.createNamespacedResourceQuota({
      namespace: quota,
      body: { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } },
    });
    // The quota counts from when its controller has seen it.
    await eventually(
      async () => {
        const { items } = await cluster.core.listNamespacedResourceQuota({ namespace: quota });
        return items[0]?.status?.hard?.pods === '0';
      },
      30_000,
      'the quota',
    );
    expect((await client.save({ ...connection(), connection_name: 'quota', namespace: quota })).status).to.equal(200);
    expect((await start('q', { connection_name: 'quota' })).status).to.equal(200);
    expect(await client.until('q', 'Failed')).to.include({ status_reason: 'quota_exceeded' });
    expect((await client.stop('q')).status).to.equal(200);
    expect(await ourObjects(cluster, quota, await client.installation())).to.deep.equal([]);
    expect((await platform.ml('admin', 'DELETE', '/container_connection/kubernetes/quota')).status).to.equal(200);
  });

  it('leaves nothing behind when the cluster refuses half way', async () => {
    // The account may do everything in `default` but make ingresses there as it likes: the namespace is another one.
    const limited = { auth_mode: 'user-token', user_token: credential('limited.token'), connection_name: 'limited' };
    expect((await client.save({ ...connection(), ...limited })).status).to.equal(200);
    const refused = await start('refused', { connection_name: 'limited' });
    expectFail(refused, 502, 'upstream_error');
    expect(refused.json.reason).to.equal('forbidden');
    const missing = { connection_name: 'missing', namespace: 'ml-e2e-there-is-none' };
    expect((await client.save({ ...connection(), ...missing })).status).to.equal(200);
    const nowhere = await start('refused', { connection_name: 'missing' });
    expectFail(nowhere, 502, 'upstream_error');
    expect(nowhere.json.reason).to.equal('config_missing');
    for (const name of ['limited', 'missing']) {
      expect((await platform.ml('admin', 'DELETE', `/container_connection/kubernetes/${name}`)).status).to.equal(200);
    }
    expect(await objects()).to.deep.equal([]);
  });

  it('publishes by ingress hosts, and says that a load balancer has no address yet', async () => {
    const ingress = {
      connection_name: 'ingress',
      service_type: 'ingress',
      ingress_host_pattern: '*.{namespace}.example.com',
      ingress_annotations: '{"a/b":"c"}',
    };
    expect((await client.test({ ...connection(), ...ingress })).status).to.equal(200);
    const hosts = (await start('web', { connection_name: 'ingress' })).json.updated_config;
    expect(hosts.api_url).to.equal(`http://${hosts.container_name}-api.${namespace}.example.com`);
    expect(hosts.mlflow_url).to.equal(`http://${hosts.container_name}-mlflow.${namespace}.example.com`);
    expect(
      (await client.save({ ...connection(), connection_name: 'balancer', service_type: 'loadbalancer' })).status,
    ).to.equal(200);
    await start('balanced', { connection_name: 'balancer' });
    await eventually(
      async () => (await client.record('balanced')).status_reason === 'lb_pending',
      60_000,
      'lb_pending',
    );
    expect(await client.record('balanced')).to.include({ status: 'Waiting for Url to start', api_url: '' });
    for (const model of ['web', 'balanced']) expect((await client.stop(model)).status).to.equal(200);
    for (const name of ['ingress', 'balancer']) {
      expect((await platform.ml('admin', 'DELETE', `/container_connection/kubernetes/${name}`)).status).to.equal(200);
    }
  });

  it('keeps the volume of the connection', async () => {
    const storageClass = `ml-e2e-${process.pid}`;
    const { core } = cluster;
    const body = {
      metadata: { name: storageClass },
      spec: {
        storageClassName: storageClass,
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: `/tmp/${storageClass}` },
      },
    };
    await core.createPersistentVolume({ body });
    try {
      const named = { connection_name: 'volume', storage_class: storageClass };
      expect((await client.save({ ...connection(), ...named })).status).to.equal(200);
      const started = await start('kept', { connection_name: 'volume' });
      expect(started.status, started.text).to.equal(200);
      expect(String(started.json.warnings)).to.not.contain('storage class');
      await client.until('kept', 'Active');
      await client.stop('kept');
      const claims = async () => (await core.listNamespacedPersistentVolumeClaim({ namespace })).items;
      expect((await claims()).map((claim) => claim.spec?.resources?.requests?.storage)).to.deep.equal(['10Gi']);
      expect((await start('again', { connection_name: 'volume' })).status).to.equal(200);
      await client.until('again', 'Active');
      expect(await claims()).to.have.length(1);
      await client.stop('again');
    } finally {
      await core.deletePersistentVolume({ name: storageClass });
    }
  });

  it('finds a cluster of a cloud by its description, and shows it who we are', async () => {
    const asked: string[] = [];
    // Stands for the cloud's control plane: the cluster that it describes is the real one.
    const cloud = await startHttp((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const certificateAuthority = { data: Buffer.from(credential('ca.crt')).toString('base64') };
      const cluster = { name: 'prod', endpoint: 'https://127.0.0.1:6443', certificateAuthority };
      return request.url === '/clusters/prod'
        ? sendJson(response, 200, { cluster })
        : sendJson(response, 404, { message: 'No cluster found' });
    });
    try {
      const conf = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/aws';
      expect((await platform.admin('POST', conf, { endpoint_url_eks: cloud.url })).status).to.equal(200);
      const secret = 'canary-secret-access-key-of-the-cloud-1';
      const base = {
        container_type: 'kubernetes',
        connection_name: 'eks',
        auth_mode: 'cloud-iam',
        cloud_region_name: 'eu-west-1',
      };
      const keys = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: secret };
      let reply = await client.test({ ...base, ...keys, cloud_cluster_name: 'prod' });
      await eventually(
        async () => {
          reply = await client.test({ ...base, ...keys, cloud_cluster_name: 'prod' });
          return asked.length > 0;
        },
        10_000,
        'the setting to be seen',
      );
      // No authenticator of the cloud's stands behind the testbed: it is reached over TLS, and refuses the token.
      expectFail(reply, 500, 'verification_failed');
      expect(reply.json.message).to.contain('does not accept the credentials');
      expect(reply.text).to.not.contain('canary').and.not.contain('k8s-aws-v1');
      const elsewhere = { cloud_cluster_name: 'prod', cluster_url: 'https://localhost:6443' };
      const refused = await client.test({ ...base, ...keys, ...elsewhere });
      expectFail(refused, 500, 'verification_failed');
      expect(refused.json.message).to.contain('cluster_url is not the endpoint of the cluster prod');
      const unknown = await client.test({ ...base, ...keys, cloud_cluster_name: 'other' });
      expect(unknown.json.message).to.contain('No cluster found');
    } finally {
      await cloud.close();
    }
  });

  it('verifies a connection and names every problem', async () => {
    const base = { ...connection(), connection_name: 'tested' };
    const failing: [Payload, RegExp][] = [
      [{ auth_mode: 'user-token', user_token: 'nobody' }, /does not accept the credentials/],
      [{ cluster_ca: credential('limited.crt') }, /not signed by a trusted authority/],
      [{ cluster_ca: '' }, /not signed by a trusted authority/],
      [{ cluster_url: 'https://127.0.0.2:6443' }, /another host name/],
      [{ cluster_url: 'http://127.0.0.1:6443' }, /HTTPS server/],
      [
        { auth_mode: 'user-login', user_name: 'u', user_password: 'canary-password' },
        /instead of a password|no login server|credentials/,
      ],
      [
        { namespace: 'nope', storage_class: 'no-such-class' },
        /namespace nope does not exist; The storage class no-such-class does not exist/,
      ],
      [
        { client_cert: credential('limited.crt'), client_key: credential('limited.key') },
        /create deployments, get deployments/,
      ],
    ];
    for (const [change, reason] of failing) {
      const reply = await client.test({ ...base, ...change });
      expectFail(reply, 500, 'verification_failed');
      expect(reply.json.message).to.match(/^Failed to validate the configuration details: /);
      expect(reply.json.message).to.match(reason);
      expect(reply.json.problems.join('; ')).to.match(reason);
      expect(reply.text).to.not.contain('canary');
    }
    expectFail(await client.test({ ...base, client_key: credential('limited.key') }), 400, 'validation_failed');
    expect((await platform.ml('admin', 'GET', '/container_connection/kubernetes/tested')).status).to.equal(404);
    const account = {
      auth_mode: 'service-account',
      service_account_token: credential('service-account.token'),
      namespace: 'default',
    };
    const saved = await client.test({ ...base, ...account });
    expect(saved.status, saved.text).to.equal(200);
    // Containers of the other namespace would find the stored token: it is made anew.
    const failed = await client.test({ ...base, ...account, is_edit: 'true', namespace: 'nope', api_token: '' });
    expectFail(failed, 500, 'verification_failed');
    const stored = (await platform.ml('admin', 'GET', '/container_connection/kubernetes/tested')).json.config;
    expect(stored).to.include({ namespace: 'default', version: 1 });
    expect(stored.last_test.status).to.equal('fail');
    expect((await platform.ml('admin', 'DELETE', '/container_connection/kubernetes/tested')).status).to.equal(200);
  });
});
