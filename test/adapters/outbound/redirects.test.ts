import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { awsModels } from '../../../src/adapters/aws/models.ts';
import { ClusterClient } from '../../../src/adapters/kubernetes/client.ts';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOAuthTokenClient } from '../../../src/adapters/oauth/oauthTokenClient.ts';
import { applications } from '../../../src/adapters/outbound/applications.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { Deadline } from '../../../src/ports/platform/clock.ts';
import { probeApplication } from '../../../src/predictions/containers/probe.ts';
import { startHttp } from '../../support/peers/listen.ts';
import { Peers } from '../../support/peers/peers.ts';

const policy = { allowPrivate: true };
const outbound = createOutbound(policy);
const TOKEN = 'token-Canary-0123456789';
const trust = { verifyTls: true };
const bearer = { token: TOKEN, secrets: [TOKEN] };

/** Code and message of the error; undefined code: no error. */
type Told = { code: string | undefined; message: string };
const codeAndMessage = (error: unknown): Told => {
  const { code, message } = error as { code?: string; message?: string };
  return { code, message: message ?? '' };
};
const thrown = (work: Promise<unknown>): Promise<Told> =>
  work.then(() => ({ code: undefined, message: 'it worked' }), codeAndMessage);

/** Every outbound client, each sending a secret. */
const CLIENTS: Record<string, (url: string, deadline: Deadline) => Promise<Told>> = {
  'a call with a body': (url, deadline) =>
    thrown(
      outbound.request({
        ...{ method: 'POST', url, body: TOKEN, headers: { authorization: TOKEN }, deadline, secrets: [TOKEN] },
        ...trust,
      }),
    ),
  'MCP over streamable HTTP': async (url, deadline) =>
    codeAndMessage(
      (await createMcpClient(outbound).listTools({ url: `${url}/mcp`, ...bearer, ...trust }, deadline)).error,
    ),
  'MCP over SSE': async (url, deadline) =>
    codeAndMessage((await createMcpClient(outbound).probe({ url: `${url}/sse`, ...bearer, ...trust }, deadline)).error),
  'a token endpoint': (url, deadline) => {
    const endpoint = { url: `${url}/token`, clientAuthentication: 'client_secret_basic' as const };
    const request = { endpoint, clientId: 'id', clientSecret: TOKEN, refreshToken: TOKEN, secrets: [TOKEN], ...trust };
    return thrown(createOAuthTokenClient(outbound).refresh(request, deadline));
  },
  AWS: (url, deadline) => {
    const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: TOKEN };
    const access = { region: 'us-east-1', keys, attempts: 1 };
    return thrown(awsModels({ conf: { endpoint_url: url }, env: {}, policy }).list(access, deadline));
  },
  'an application in a container': (url, deadline) => {
    const target = { url, token: TOKEN, certificates: undefined, checkHostname: false, fingerprint: undefined };
    const call = { method: 'POST', path: '/invocations', body: '{}', deadline } as const;
    return thrown(applications(policy).request(target, call));
  },
  'Kubernetes, typed calls': async (url, deadline) => {
    const client = new ClusterClient({ url, token: TOKEN, ca: undefined }, outbound);
    try {
      return await thrown(client.within(deadline.signal).core.listNamespace());
    } finally {
      client.close();
    }
  },
  'Kubernetes, logs': async (url, deadline) => {
    const client = new ClusterClient({ url, token: TOKEN, ca: undefined }, outbound);
    try {
      return await thrown(client.read('/log', {}, deadline.signal, 1_000_000));
    } finally {
      client.close();
    }
  },
};

describe('redirects: nothing follows them to another host', () => {
  const { started, serve } = new Peers(afterEach);
  const elsewhere: IncomingMessage[] = [];
  let asked = 0;

  afterEach(() => {
    elsewhere.length = 0;
    asked = 0;
  });

  async function redirecting(status: number, location: (origin: string, other: string) => string | undefined) {
    const other = await started(
      startHttp((request, response) => {
        elsewhere.push(request);
        response.end('{}');
      }),
    );
    return serve((request, response) => {
      asked += 1;
      const target = location(`http://${request.headers.host}${request.url}`, `http://localhost:${other.port}/x`);
      response.writeHead(status, target === undefined ? {} : { location: target }).end();
    });
  }

  for (const [name, call] of Object.entries(CLIENTS)) {
    const run = async (url: string): Promise<Told> => {
      using deadline = startDeadline(5000);
      const answer = await call(url, deadline);
      expect(elsewhere, 'somebody else was called').to.deep.equal([]);
      expect(answer.message).not.to.match(/canary/i);
      expect(answer.message.length).to.be.within(10, 500);
      return answer;
    };

    it(`${name}: to another host`, async () => {
      for (const status of [301, 302, 303, 307, 308]) {
        const url = await redirecting(status, (_own, other) => `${other}?t=${TOKEN}`);
        const { code, message } = await run(url);
        expect(code, `${status}`).to.equal('upstream_error');
        expect(message).to.match(/points to localhost:\d+/);
      }
    });

    it(`${name}: to metadata addresses, in a loop, with bad targets`, async () => {
      for (const target of ['http://169.254.169.254/latest', 'http://[fd00:ec2::23]/', 'http://100.100.100.200/']) {
        expect((await run(await redirecting(302, () => target))).code, target).to.equal('blocked_by_policy');
      }
      asked = 0;
      const loop = await run(await redirecting(307, (origin) => origin));
      expect(loop.code).to.equal('upstream_error');
      // Two requests of MCP, each followed once.
      expect(asked, 'a loop is not gone round').to.be.below(5);
      const bad = ['http://[::1', 'http://', '//', 'javascript:alert(1)', 'file:///etc/passwd', '\\\\host\\share', ' '];
      const reflected = `https://${TOKEN}.evil.example/`;
      for (const target of [...bad, `https://${'a'.repeat(8000)}.example/`, reflected, undefined]) {
        expect((await run(await redirecting(302, () => target))).code, target).to.equal('upstream_error');
      }
    });
  }

  it('a probe of an application tells the status alone', async () => {
    const url = await redirecting(302, (_own, other) => other);
    using deadline = startDeadline(5000);
    const target = { url, token: TOKEN, certificates: undefined, checkHostname: false, fingerprint: undefined };
    const terms = { protocol: undefined, names: [], deadline };
    const { error } = await probeApplication(applications(policy), target, terms);
    expect(error).to.equal('http_302');
    expect(elsewhere).to.deep.equal([]);
  });

  describe('on the same host the message names the address to use', () => {
    const message = async (location: (origin: string) => string): Promise<string> => {
      using deadline = startDeadline(5000);
      const url = await redirecting(301, location);
      const found = await createMcpClient(outbound).probe(
        { url: `${url}/mcp/?team=q`, secrets: [], ...trust },
        deadline,
      );
      expect(found.httpStatus).to.equal(301);
      return codeAndMessage(found.error).message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
    };

    it('a slash too many or too few, as Starlette and FastMCP answer it', async () => {
      const absolute = await message((origin) => origin.replace('/mcp/', '/mcp'));
      expect(absolute).to.contain('use http://HOST/mcp (').and.not.to.contain('team');
      expect(await message(() => '/mcp')).to.contain('use http://HOST/mcp (');
      expect(await message(() => '/servers/mcp/?token=x#y')).to.contain('use http://HOST/servers/mcp/ (');
    });

    it('https where http was configured', async () => {
      expect(await message((own) => own.replace('http:', 'https:'))).to.contain('use https://HOST/mcp/ (');
    });

    it('never itself, never user info, and no path without end', async () => {
      expect(await message((origin) => origin)).to.contain('points to HOST;');
      expect(await message((origin) => origin.replace('//', '//user:password@').replace('/mcp/', '/mcp'))).to.contain(
        'use http://HOST/mcp (',
      );
      expect(await message(() => `/${'x'.repeat(5000)}`)).to.contain('points to HOST;');
    });
  });
});
