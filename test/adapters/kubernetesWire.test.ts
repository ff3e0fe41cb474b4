import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifiedEndpoint } from '../../src/adapters/kubernetes/cloudIdentity.ts';
import { KubernetesEngine } from '../../src/adapters/kubernetes/engine.ts';
import { clusterAccess } from '../../src/adapters/kubernetes/identity.ts';
import { createOutbound } from '../../src/adapters/outbound/outbound.ts';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../src/domain/async/deadline.ts';
import { EngineFailure, type KubernetesTarget } from '../../src/ports/engines/containerEngine.ts';
import { WORKLOAD } from '../support/containers/workload.ts';
import { rejection } from '../support/fault.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { sendJson } from '../support/peers/listen.ts';
import { dripping, endless, Peers } from '../support/peers/peers.ts';
import { patience } from '../support/time.ts';

const AWS = { policy: { allowPrivate: true }, conf: {}, env: {} };
const SCOPE = { installation: 'site', connectionKey: 'kubernetes.local' };
const REFERENCE = { id: 'ml-m', name: 'ml-m', mark: 'mark' };
/** A secret of the connection. */
const CANARY = 'canary-secret';
const QUERY = { tail: 100, since: undefined, previous: false };

describe('Kubernetes over the wire', () => {
  const { listening, serve } = new Peers();
  const target = (url: string): KubernetesTarget => ({
    url,
    namespace: 'ns',
    storageClass: 'fast',
    inCluster: false,
    ingress: true,
    identity: { mode: 'token', token: 'user-token' },
  });
  type Work<T> = (engine: KubernetesEngine, deadline: ReturnType<typeof startDeadline>) => Promise<T>;
  async function ask<T>(url: string, work: Work<T>, ms = 3000): Promise<T> {
    using deadline = startDeadline(ms);
    const engine = new KubernetesEngine(target(url), [CANARY], { allowPrivate: true }, AWS);
    try {
      return await work(engine, deadline);
    } finally {
      engine.close();
    }
  }
  const CALLS: Record<string, Work<unknown>> = {
    list: (engine, deadline) => engine.list(SCOPE, deadline),
    start: (engine, deadline) => engine.start(WORKLOAD, deadline),
    stop: (engine, deadline) => engine.stop(REFERENCE, SCOPE, deadline),
    logs: (engine, deadline) => engine.logs(REFERENCE, QUERY, deadline),
    events: (engine, deadline) => engine.events(REFERENCE, deadline),
  };
  const failure = (work: Promise<unknown>) => rejection(work, EngineFailure);

  it('reports a server that is no Kubernetes API, in every call', async () => {
    const bodies = ['<html>hello</html>', '{}', '[]', 'null', '"x"', '7', '{"items":7}', '{"items":[7,null]}', '', '{'];
    for (const body of bodies) {
      for (const type of ['text/html', 'application/json']) {
        const url = await serve((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
        for (const [name, call] of Object.entries(CALLS)) {
          const outcome = await ask(url, call).then(
            (value) => JSON.stringify(value ?? null),
            (error: unknown) => error,
          );
          const where = `${name} of ${body} as ${type}`;
          // Nothing is there to be listed, read or stopped.
          if (typeof outcome === 'string') expect(outcome, where).to.match(/^(null|\[\]|\{.*\})$/);
          else expect(outcome, where).to.be.instanceOf(EngineFailure);
          if (outcome instanceof EngineFailure) expect(outcome.message, where).to.match(/not a Kubernetes API/);
        }
        const { problems } = await ask(url, (engine, deadline) => engine.verify(deadline));
        expect(problems, `verify of ${body} as ${type}`).to.have.length(1);
        expect(problems[0]?.message).to.match(/not a Kubernetes API/);
      }
    }
  });

  it('redacts secrets of the connection in messages of the cluster', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/version') return sendJson(response, 200, { gitVersion: 'v1.30.0' });
      return sendJson(response, 500, {
        kind: 'Status',
        message: `refused: ${CANARY}, ${request.headers.authorization}`,
      });
    });
    const { problems } = await ask(url, (engine, deadline) => engine.verify(deadline));
    const messages = problems.map(({ message }) => message);
    expect(messages, 'rights, namespace, storage class').to.have.length(3);
    for (const call of Object.values(CALLS)) messages.push((await failure(ask(url, call))).message);
    for (const message of messages)
      expect(message)
        .to.contain('refused: [redacted]')
        .and.not.match(/canary|user-token/);
  });

  it('follows no redirect', async () => {
    let followed = 0;
    const elsewhere = await serve((_, response) => {
      followed += 1;
      sendJson(response, 200, {});
    });
    const url = await serve((_, response) => response.writeHead(307, { location: elsewhere }).end());
    for (const call of Object.values(CALLS)) expect((await failure(ask(url, call))).message).to.match(/redirects/);
    expect(followed).to.equal(0);
  });

  it('limits the size and the time of every answer', async () => {
    const large = await serve(endless(() => `["${'x'.repeat(65_536)}",`));
    const before = process.memoryUsage().rss;
    const { start: _, ...others } = CALLS;
    for (const [name, call] of Object.entries(others)) {
      expect((await failure(ask(large, call, 10_000))).message, name).to.match(/larger than 8 MiB/);
    }
    expect((process.memoryUsage().rss - before) / 1024 ** 2).to.be.below(300);
    const silent = `http://127.0.0.1:${await listening(createTcp(() => {}))}`;
    for (const url of [await serve(dripping(' ')), silent]) {
      for (const [name, call] of Object.entries(others)) {
        const begun = performance.now();
        const found = await failure(ask(url, call, 300));
        expect(found.timedOut, `${name}: ${found.message}`).to.equal(true);
        expect(performance.now() - begun, name).to.be.below(patience(2000));
      }
    }
  });

  it('limits the logs of all replicas together', async () => {
    const limits = new Set<string>();
    let asked = 0;
    let size = 0;
    const url = await serve((request, response) => {
      const at = new URL(request.url ?? '/', 'http://x');
      if (at.pathname.endsWith('/pods')) {
        const items = Array.from({ length: 500 }, (_, n) => ({ metadata: { name: `pod-${n}` } }));
        return sendJson(response, 200, { kind: 'PodList', items });
      }
      asked += 1;
      limits.add(at.searchParams.get('limitBytes') ?? '');
      return response.end(`2026-11-20T15:41:20Z ${'x'.repeat(size)}\n`);
    });
    expect(await ask(url, (engine, deadline) => engine.logs(REFERENCE, QUERY, deadline))).to.have.length(100);
    expect([...limits]).to.deep.equal([String(Math.floor((8 * 1024 * 1024) / 100))]);
    expect(asked).to.equal(100);
    size = 200_000;
    const found = await failure(ask(url, (engine, deadline) => engine.logs(REFERENCE, QUERY, deadline)));
    expect(found.message).to.match(/sent more than 83886 bytes/);
  });

  describe('identity', () => {
    let folder = '';
    const before_ = { ...process.env };
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'pod-'));
      writeFileSync(join(folder, 'token'), 'pod-token\n');
      writeFileSync(join(folder, 'ca.crt'), 'pod-ca');
      process.env.KUBERNETES_SERVICE_HOST = '10.96.0.1';
      process.env.KUBERNETES_SERVICE_PORT = '443';
    });
    after(() => {
      rmSync(folder, { recursive: true, force: true });
      for (const name of ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT']) {
        if (before_[name] === undefined) delete process.env[name];
        else process.env[name] = before_[name];
      }
    });
    const access = async (more: Partial<KubernetesTarget>) => {
      using deadline = startDeadline(1000);
      const { url, ...base } = target('');
      const parts = { outbound: createOutbound({ allowPrivate: true }), aws: AWS, podFolder: folder };
      const podTarget: KubernetesTarget = { ...base, inCluster: true, identity: { mode: 'pod' }, ...more };
      return await clusterAccess(podTarget, parts, deadline);
    };

    it("sends the pod's token only to the pod's own API server, verified with the pod's CA", async () => {
      const podAccess = { url: 'https://10.96.0.1:443', ca: 'pod-ca', token: 'pod-token' };
      expect(await access({})).to.deep.equal(podAccess);
      for (const url of [
        'https://10.96.0.1',
        'https://kubernetes.default.svc',
        'https://kubernetes.default.svc:6443/',
      ]) {
        expect(await access({ url, ca: 'of somebody else' }), url).to.deep.equal(podAccess);
      }
      for (const url of [
        'https://evil.example',
        'http://10.96.0.1:443',
        'https://10.96.0.1:6443',
        'https://kubernetes.default.svc.evil.example',
        'http://kubernetes.default.svc',
      ]) {
        const found = await failure(access({ url }));
        expect([found.reason, found.message], url).to.satisfy(([reason, message]: string[]) =>
          `${reason} ${message}`.startsWith("configuration_invalid The pod's own account may only be used for"),
        );
      }
      // A token of the connection's own is another matter.
      const identity = { mode: 'token', token: 'given' } as const;
      expect(await access({ url: 'https://evil.example', identity })).to.include({ token: 'given' });
    });

    it('authenticates only at the endpoint that the cloud describes', () => {
      const [one, other] = [makeCertificate({ ca: true }).cert, makeCertificate({ ca: true }).cert];
      const described = { url: 'https://abc.eks.amazonaws.com', ca: one };
      const cloud = { clusterName: 'prod' };
      const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
      expect(verifiedEndpoint({}, cloud, described)).to.deep.equal(described);
      expect(verifiedEndpoint({ url: 'https://ABC.eks.amazonaws.com:443/', ca: one }, cloud, described)).to.deep.equal(
        described,
      );
      expect(verifiedEndpoint({ ca: other }, { ...cloud, keys }, described)).to.deep.equal({ ...described, ca: other });
      const refused: [Parameters<typeof verifiedEndpoint>, RegExp][] = [
        [[{ url: 'https://evil.example' }, cloud, described], /cluster_url is not the endpoint of the cluster prod/],
        [[{ url: 'https://evil.example' }, { ...cloud, keys }, described], /cluster_url is not the endpoint/],
        [[{ url: 'http://abc.eks.amazonaws.com' }, cloud, described], /cluster_url is not the endpoint/],
        [[{ url: 'https://abc.eks.amazonaws.com:8443' }, cloud, described], /cluster_url is not the endpoint/],
        [[{ ca: other }, cloud, described], /cluster_ca is not the authority/],
        [[{ ca: `${one}${other}` }, cloud, described], /cluster_ca is not the authority/],
        [[{}, cloud, { ...described, url: 'http://abc.eks.amazonaws.com' }], /not an https address/],
        [[{}, cloud, { ...described, url: 'nonsense' }], /not an https address/],
        [[{}, cloud, { ...described, url: undefined }], /no endpoint/],
      ];
      for (const [args, message] of refused) {
        expect(() => verifiedEndpoint(...args))
          .to.throw(OutboundError, message)
          .with.property('code', 'configuration_invalid');
      }
    });
  });
});
