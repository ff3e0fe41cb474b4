import { expect } from 'chai';
import type Docker from 'dockerode';
import { DockerEngine } from '../../../src/adapters/docker/engine.ts';
import { KubernetesEngine } from '../../../src/adapters/kubernetes/engine.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { ContainerEngine, KubernetesPart, Workload } from '../../../src/ports/engines/containerEngine.ts';
import { importPython } from '../../support/containers/pythonImage.ts';
import { WORKLOAD } from '../../support/containers/workload.ts';
import { eventually } from '../../support/time.ts';
import { credential, dockerUrl, needsDocker, needsKubernetes, testCluster, testDocker } from './containerSupport.ts';

const REPO = 'ml-test/facts';
const ROOT = `${REPO}:root`;
const USER = `${REPO}:user`;
/** Longer than one piece of a container runtime, and a line as Windows programs write it. */
const print = (before: string) =>
  `print("${before}" + "🚀" * 5000); print("b" * 16384 + "c" * 100); print("dos", end="\\r\\n", flush=True)`;
const printed = (before: string) => [`${before}${'🚀'.repeat(5000)}`, `${'b'.repeat(16_384)}${'c'.repeat(100)}`, 'dos'];
const QUERY = { tail: 100, since: undefined, previous: false };

describe('what real engines say', function () {
  this.timeout(180_000);
  const engines: ContainerEngine[] = [];
  let docker: Docker;
  const opened = <T extends ContainerEngine>(engine: T): T => {
    engines.push(engine);
    return engine;
  };
  const within = async <T>(work: (deadline: ReturnType<typeof startDeadline>) => Promise<T>): Promise<T> => {
    using deadline = startDeadline(20_000);
    return await work(deadline);
  };

  before(async function () {
    needsDocker(this);
    docker = testDocker();
    await importPython(docker, REPO, 'root');
    const plain = await docker.createContainer({ Image: ROOT, Cmd: ['python3'] });
    await plain.commit({ repo: REPO, tag: 'user', changes: 'USER 1001' });
    await plain.remove();
  });
  after(async () => {
    for (const engine of engines) engine.close();
    for (const image of docker ? [USER, ROOT] : [])
      await docker
        .getImage(image)
        .remove()
        .catch(() => {});
  });

  // Docker's own JSON loses a character that is cut at 16 KB; `local` keeps its bytes.
  for (const [driver, before] of [
    ['json-file', ''],
    ['local', 'a'],
  ] as const) {
    it(`Docker, log driver ${driver}: long lines are whole, whatever character a frame cuts`, async () => {
      const engine = opened(
        new DockerEngine({ address: { socket: dockerUrl.replace(/^unix:\/\//, '') }, tls: {} }, [], {
          allowPrivate: true,
        }),
      );
      const Cmd = ['python3', '-c', print(before)];
      const Env = ['PYTHONIOENCODING=utf-8'];
      const container = await docker.createContainer({
        Image: ROOT,
        Cmd,
        Env,
        HostConfig: { LogConfig: { Type: driver, Config: {} } },
      });
      try {
        await container.start();
        await container.wait();
        const lines = await within((deadline) => engine.logs({ id: container.id, name: '' }, QUERY, deadline));
        expect(lines.map(({ line }) => line)).to.deep.equal(printed(before));
      } finally {
        await container.remove({ force: true });
      }
    });
  }

  describe('Kubernetes', () => {
    const namespace = `ml-facts-${process.pid}`;
    let cluster: ReturnType<typeof testCluster>;
    let engine: KubernetesEngine;
    before(async function () {
      needsKubernetes(this);
      cluster = testCluster();
      await cluster.core.createNamespace({ body: { metadata: { name: namespace } } });
      engine = opened(
        new KubernetesEngine(
          {
            url: 'https://127.0.0.1:6443',
            ca: credential('ca.crt'),
            namespace,
            inCluster: false,
            ingress: false,
            identity: { mode: 'certificate', cert: credential('admin.crt'), key: credential('admin.key') },
          },
          [],
          { allowPrivate: true },
          {} as never,
        ),
      );
    });
    after(async () => {
      await cluster?.core.deleteNamespace({ name: namespace });
    });

    const workload = (image: string, security: KubernetesPart['security'], code: string): Workload => ({
      ...WORKLOAD,
      name: `ml-${security}`,
      mark: security,
      image,
      // The image has no entry point, so these are the command.
      arguments: ['python3', '-c', code],
      ports: ['api'],
      environment: { PYTHONIOENCODING: 'utf-8' },
      resources: { minCpu: 10, maxCpu: 500, minMemory: '16Mi', maxMemory: '128Mi', nvidia: false },
      kubernetes: {
        serviceType: 'nodeport',
        ingressAnnotations: {},
        imagePullSecrets: [],
        claim: 'ml-data-facts',
        security,
        replicas: 1,
      },
    });
    const scope = { installation: WORKLOAD.installation, connectionKey: WORKLOAD.connectionKey };
    const stateOf = async (mark: string) =>
      (await within((deadline) => engine.list(scope, deadline))).find((state) => state.mark === mark);

    it('long lines are whole, without the stamps of their pieces', async () => {
      const made = workload(ROOT, 'default', `${print('')}; import time; time.sleep(60)`);
      const { state } = await within((deadline) => engine.start(made, deadline));
      await eventually(async () => (await stateOf('default'))?.phase === 'running', 60_000);
      const read = () => within((deadline) => engine.logs(state, QUERY, deadline));
      await eventually(async () => (await read()).length > 2, 30_000);
      expect((await read()).map(({ line }) => line)).to.deep.equal(printed(''));
      await within((deadline) => engine.stop(state, scope, deadline));
    });

    for (const security of ['restricted', 'openshift'] as const) {
      it(`${security}: not as root, without capabilities, with a seccomp profile`, async () => {
        const code =
          'import os; print(os.getuid(), open("/proc/self/status").read().replace(chr(10), " ")); import time; time.sleep(60)';
        const { state } = await within((deadline) => engine.start(workload(USER, security, code), deadline));
        const read = () => within((deadline) => engine.logs(state, QUERY, deadline));
        await eventually(async () => (await read()).length > 0, 60_000);
        const [{ line } = { line: '' }] = await read();
        expect(line)
          .to.match(/^1001 /)
          .and.match(/CapBnd:\s*0{16}/)
          .and.match(/NoNewPrivs:\s*1/)
          .and.match(/Seccomp:\s*2/);
        await within((deadline) => engine.stop(state, scope, deadline));
      });
    }

    it('restricted: refuses an image that runs as root, and says so', async () => {
      const { state } = await within((deadline) => engine.start(workload(ROOT, 'restricted', '0'), deadline));
      await eventually(async () => (await stateOf('restricted'))?.phase === 'failed', 60_000);
      expect((await stateOf('restricted'))?.message).to.match(/runAsNonRoot/);
      await within((deadline) => engine.stop(state, scope, deadline));
    });
  });
});
