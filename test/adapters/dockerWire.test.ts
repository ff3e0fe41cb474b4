import { createServer as createTls } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { expect } from 'chai';
import { DockerEngine } from '../../src/adapters/docker/engine.ts';
import { startDeadline } from '../../src/domain/async/deadline.ts';
import { EngineFailure } from '../../src/ports/engines/containerEngine.ts';
import { WORKLOAD } from '../support/containers/workload.ts';
import { rejection } from '../support/fault.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { readBody, sendJson } from '../support/peers/listen.ts';
import { dripping, endless, Peers } from '../support/peers/peers.ts';
import { patience } from '../support/time.ts';

const SCOPE = { installation: 'site', connectionKey: 'docker.local' };
const OURS = { 'ml_extension.installation': 'site', 'ml_extension.connection': 'docker.local' };
/** A secret of the connection. */
const CANARY = 'canary/secret';
const QUERY = { tail: 100, since: undefined, previous: false };

describe('Docker over the wire', () => {
  const { listening, serve } = new Peers();
  const engineAt = (url: string, tls: { ca?: string } = {}, network?: string) =>
    new DockerEngine({ address: { url }, tls, ...(network ? { network } : {}) }, [CANARY], { allowPrivate: true });
  /** One piece of work with an engine, within its deadline and a little more. */
  async function ask<T>(
    url: string,
    work: (engine: DockerEngine, deadline: ReturnType<typeof startDeadline>) => Promise<T>,
    ms = 3000,
    tls: { ca?: string } = {},
  ): Promise<T> {
    using deadline = startDeadline(ms);
    const engine = engineAt(url, tls);
    try {
      return await work(engine, deadline);
    } finally {
      engine.close();
    }
  }
  const failure = (work: Promise<unknown>) => rejection(work, EngineFailure);
  const CALLS = {
    list: (url: string, ms?: number) => ask(url, (engine, deadline) => engine.list(SCOPE, deadline), ms),
    start: (url: string, ms?: number) => ask(url, (engine, deadline) => engine.start(WORKLOAD, deadline), ms),
    stop: (url: string, ms?: number) =>
      ask(url, (engine, deadline) => engine.stop({ id: 'abc', name: 'ml-m', mark: 'm' }, SCOPE, deadline), ms),
    logs: (url: string, ms?: number) =>
      ask(url, (engine, deadline) => engine.logs({ id: 'abc', name: 'ml-m' }, QUERY, deadline), ms),
    events: (url: string, ms?: number) =>
      ask(url, (engine, deadline) => engine.events({ id: 'abc', name: 'ml-m' }, deadline), ms),
  };

  it('puts secrets into the body alone', async () => {
    const seen: { line: string; body: string }[] = [];
    const url = await serve(async (request, response) => {
      seen.push({ line: `${request.url} ${JSON.stringify(request.headers)}`, body: await readBody(request) });
      if (request.url?.startsWith('/containers/create')) return sendJson(response, 201, { Id: 'abc' });
      return sendJson(response, 500, { message: 'no more' });
    });
    await failure(CALLS.start(url));
    expect(seen[0]?.line).to.match(/^\/containers\/create\?name=ml-m-12345678 /);
    expect(JSON.parse(seen[0]?.body ?? '')).to.include({ Image: WORKLOAD.image });
    expect(JSON.parse(seen[0]?.body ?? '').Env).to.include('api_token=secret');
    for (const { line } of seen) expect(line).to.not.match(/secret|log-token|Env/);
  });

  it('redacts secrets of the connection in messages of the engine', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/version') sendJson(response, 200, { ApiVersion: '1.47' });
      else sendJson(response, 500, { message: `refused: ${CANARY}, ${encodeURIComponent(CANARY)}` });
    });
    for (const call of Object.values(CALLS))
      expect((await failure(call(url))).message).to.match(/refused: \[redacted\]/);
    const pull = ask(url, (engine, { signal }) => engine.pull('image', () => {}, signal));
    expect((await failure(pull)).message).to.match(/refused: \[redacted\]/);
    using deadline = startDeadline(3000);
    const engine = engineAt(url, {}, 'net');
    const { problems } = await engine.verify(deadline).finally(() => engine.close());
    expect(problems.map(({ message }) => message).join()).to.match(/refused: \[redacted\]/);
  });

  it('verifies certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const certificate = makeCertificate();
    let requests = 0;
    const port = await listening(
      createTls(certificate, (_, response) => {
        requests += 1;
        sendJson(response, 200, { ApiVersion: '1.47' });
      }),
    );
    const url = `https://127.0.0.1:${port}`;
    const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const { problems } = await ask(url, (engine, deadline) => engine.verify(deadline));
      expect(problems.map(({ code }) => code)).to.deep.equal(['tls_untrusted']);
      expect(requests).to.equal(0);
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    const good = await ask(url, (engine, deadline) => engine.verify(deadline), 3000, { ca: certificate.cert });
    expect(good.problems).to.deep.equal([]);
  });

  it('follows no redirect, and names its target', async () => {
    let followed = 0;
    const elsewhere = await serve((_, response) => {
      followed += 1;
      sendJson(response, 200, []);
    });
    for (const [location, expected] of [
      [`${elsewhere}/x`, new RegExp(`${new URL(elsewhere).host}.*redirects are not followed`)],
      ['http://169.254.169.254/latest', /not allowed/],
      ['ftp://files/x', /redirects are not followed/],
      ['http://[broken', /redirects are not followed/],
    ] as const) {
      const url = await serve((_, response) => response.writeHead(302, { location }).end());
      for (const [name, call] of Object.entries(CALLS)) {
        expect((await failure(call(url))).message, `${name} ${location}`).to.match(expected);
      }
      const { problems } = await ask(url, (engine, deadline) => engine.verify(deadline));
      expect(problems[0]?.message).to.match(expected);
    }
    expect(followed).to.equal(0);
  });

  it('reports a server that is no Docker engine, in every call', async () => {
    const bodies = ['<html>hello</html>', '{}', '[]', 'null', '"x"', '7', '[null]', '[{"Id":5}]', '{"Id":{}}', '', '{'];
    for (const body of bodies) {
      const url = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body));
      for (const [name, call] of Object.entries(CALLS)) {
        const outcome = await call(url).then(
          (value) => JSON.stringify(value),
          (error: unknown) => error,
        );
        // An empty list is one that an engine can give; to a log that is no log there are no lines.
        if (typeof outcome === 'string') expect(outcome, `${name} of ${body}`).to.equal('[]');
        else {
          expect(outcome, `${name} of ${body}`).to.be.instanceOf(EngineFailure);
          expect((outcome as EngineFailure).message, `${name} of ${body}`).to.match(
            /not a Docker engine|not a Docker log/,
          );
        }
      }
      const { problems } = await ask(url, (engine, deadline) => engine.verify(deadline));
      expect(problems, `verify of ${body}`).to.have.length(1);
      expect(problems[0]?.message, `verify of ${body}`).to.match(/not a Docker engine/);
    }
  });

  it('rejects malformed data of its own containers too', async () => {
    const states = [null, [], 'x', { Status: 5 }, { Status: 'exited', ExitCode: 'x' }];
    for (const State of states) {
      const info = { Id: 'abc', Name: '/ml-m', Config: { Labels: OURS }, NetworkSettings: { Ports: {} }, State };
      const url = await serve((request, response) =>
        sendJson(
          response,
          200,
          request.url?.startsWith('/containers/json')
            ? [{ Id: 'abc', Names: ['/ml-m'], State: 'exited', Ports: [], Labels: OURS }]
            : info,
        ),
      );
      expect((await failure(CALLS.list(url))).message).to.match(/not a Docker engine/);
    }
  });

  it('limits the size of every answer', async () => {
    const url = await serve(endless(() => `["${'x'.repeat(65_536)}",`));
    const before = process.memoryUsage().rss;
    for (const [name, call] of Object.entries(CALLS)) {
      const begun = performance.now();
      expect((await failure(call(url, 10_000))).message, name).to.match(/larger than|not a Docker log/);
      expect(performance.now() - begun, name).to.be.below(patience(8000));
    }
    expect((process.memoryUsage().rss - before) / 1024 ** 2).to.be.below(250);
  });

  it('holds the deadline against slow answers', async () => {
    const silent = `http://127.0.0.1:${await listening(createTcp(() => {}))}`;
    const { start, ...others } = CALLS;
    const begun = performance.now();
    expect((await failure(start(silent, 300))).timedOut).to.equal(true);
    // Ten seconds go to the look whether something was made after all.
    expect(performance.now() - begun).to.be.below(patience(12_000));
    for (const url of [await serve(dripping(Buffer.alloc(1))), silent]) {
      for (const [name, call] of Object.entries(others)) {
        const begun = performance.now();
        const found = await failure(call(url, 300));
        expect(found.timedOut, `${name}: ${found.message}`).to.equal(true);
        expect(performance.now() - begun, name).to.be.below(patience(2000));
      }
    }
  });

  it('limits the length of a list, and keeps only its own containers', async () => {
    const container = (n: number, Labels: object) => ({
      Id: `id-${n}`,
      Names: [`/c${n}`],
      State: 'running',
      Ports: null,
      Labels,
    });
    let count = 1001;
    const url = await serve((_, response) =>
      sendJson(
        response,
        200,
        Array.from({ length: count }, (_, n) => container(n, n % 2 ? OURS : {})),
      ),
    );
    expect((await failure(CALLS.list(url))).message).to.match(/more than 1000 containers/);
    count = 1000;
    expect(await CALLS.list(url)).to.have.length(500);
  });

  it('limits the size of a log, its lines and its frames', async () => {
    const frame = (length: number, text: string) => {
      const head = Buffer.alloc(8);
      head[0] = 1;
      head.writeUInt32BE(length, 4);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    const streaming = (piece: Buffer) => serve(endless(() => piece));
    const huge = await streaming(frame(0xffff_fff0, 'x'.repeat(65_536)));
    const oneLine = await streaming(frame(65_536, 'x'.repeat(65_536)));
    const empty = await streaming(Buffer.concat(Array.from({ length: 4096 }, () => frame(1, '\n'))));
    for (const [name, url] of Object.entries({ huge, oneLine, empty })) {
      const before = process.memoryUsage().rss;
      expect((await failure(CALLS.logs(url, patience(10_000)))).message, name).to.match(
        /not a Docker log|larger than 64 MiB/,
      );
      // The server is in this process too, and keeps what a busy machine has not sent yet. Without the limit it was gigabytes.
      expect((process.memoryUsage().rss - before) / 1024 ** 2, name).to.be.below(800);
    }
  });

  it('limits the line length and the number of layers of a pull', async () => {
    const pull = (url: string) =>
      ask(url, async (engine) => engine.pull('image:1', () => {}, AbortSignal.timeout(10_000)), 10_000);
    const answers: [(n: number) => string, RegExp][] = [
      [() => 'x'.repeat(65_536), /not a Docker engine/],
      [(n) => `${JSON.stringify({ id: `layer-${n}`, status: 'Waiting' })}\n`, /more than 1000 layers/],
      [() => 'null\n', /not a Docker engine/],
      [() => '<html>\n', /not a Docker engine/],
      [() => '{"error":{"a":1}}\n', /not a Docker engine/],
    ];
    for (const [line, expected] of answers) {
      expect((await failure(pull(await serve(endless(line))))).message).to.match(expected);
    }
  });
});
