import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { probeApplication } from '../../../src/predictions/containers/probe.ts';
import { PROTOCOL_NAMES, type ProtocolName } from '../../../src/predictions/containers/registry.ts';

/** Path -> what it answers: a text with 200, a status, or an error. Other paths are 404. */
type Server = Record<string, string | number | OutboundError>;

const BANNER = JSON.stringify({ app: 'Deep Learning Toolkit for Splunk', version: '3.8.0' });
const V2 = JSON.stringify({ name: 'mlserver', version: '1.7.1', extensions: [] });
const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'org/llama', object: 'model' }, { id: 'other' }] });
const PING = JSON.stringify({ status: 'HealthyBusy', time_of_last_update: 1 });

/** Servers as they answer, and whether they are ready. */
const READY: Record<ProtocolName, Server> = {
  dsdl: { '': JSON.stringify(BANNER) },
  v2: { '/v2': V2, '/v2/health/ready': '' },
  openai: { '/v1/models': MODELS },
  mlflow: { '/version': '3.17.2', '/ping': '\n' },
  agent: { '/ping': PING },
};

describe('probes of protocols', () => {
  let asked: string[] = [];
  beforeEach(() => {
    asked = [];
  });

  async function probe(server: Server, protocol?: ProtocolName) {
    using deadline = startDeadline(5000);
    const applications = {
      request: async (_: unknown, { path }: { path: string }) => {
        asked.push(path);
        const answer = server[path] ?? server['*'] ?? 404;
        if (answer instanceof OutboundError) throw answer;
        return typeof answer === 'number'
          ? { status: answer, text: '{"detail":"no"}', headers: {} }
          : { status: 200, text: answer, headers: {} };
      },
    };
    const target = {
      url: 'http://a:5000',
      token: 't',
      certificates: undefined,
      checkHostname: false,
      fingerprint: '',
    };
    const names = ['data science', 'deep learning'];
    const { error, protocol: found } = await probeApplication(applications, target, { protocol, names, deadline });
    return found ?? error;
  }

  for (const [name, server] of Object.entries(READY)) {
    it(`${name} is found, and no other protocol takes it for its own`, async () => {
      expect(await probe(server)).to.equal(name);
      for (const other of PROTOCOL_NAMES) {
        const found = await probe(server, other);
        if (other === name) expect(found).to.equal(name);
        else expect(found, other).to.match(/^(http_404|wrong_application)$/);
      }
    });
  }

  it('go in the order of the contract until one answers, and only the known one is asked later', async () => {
    const all = Object.assign({}, READY.agent, READY.mlflow, READY.openai, READY.v2, READY.dsdl);
    const found: string[] = [];
    const paths = ['', '/v2', '/v1/models', '/version'];
    for (const path of paths) {
      found.push(await probe(all));
      delete all[path];
    }
    expect(found).to.deep.equal(['dsdl', 'v2', 'openai', 'mlflow']);
    asked = [];
    expect(await probe(READY.agent)).to.equal('agent');
    expect(asked).to.deep.equal(['', '/v2', '/v1/models', '/version', '/ping']);
    asked = [];
    expect(await probe(READY.mlflow, 'mlflow')).to.equal('mlflow');
    expect(asked).to.deep.equal(['/version', '/ping']);
  });

  it('take no server that answers everything alike for a model server', async () => {
    const texts = [
      ...['{}', '[]', 'null', '"ok"', 'OK', '', '1', '<html>Sign in</html>', '{"status":"ok"}', '{"version":"3.1.0"}'],
      ...[
        '{"data":[]}',
        '{"data":[{"id":7}]}',
        '{"data":null}',
        '{"name":"x"}',
        '{"name":"x","version":{"number":"8"}}',
      ],
      ...[
        '{"status":"Unhealthy"}',
        '{"models":["a"]}',
        '[{"id":"x"}]',
        '{"app":"Some Other"}',
        '3',
        '3.1',
        '{',
        '['.repeat(1e5),
      ],
    ];
    for (const text of texts) expect(await probe({ '*': text }), text.slice(0, 40)).to.equal('wrong_application');
    for (const status of [301, 403, 404, 500, 503]) expect(await probe({ '*': status })).to.equal(`http_${status}`);
  });

  it('wait for a server that is not ready', async () => {
    expect(await probe({ ...READY.v2, '/v2/health/ready': 503 }, 'v2')).to.equal('http_503');
    expect(await probe({ ...READY.mlflow, '/ping': 404 }, 'mlflow')).to.equal('http_404');
    expect(await probe({ '/v1/models': JSON.stringify({ object: 'list', data: [] }) }, 'openai')).to.equal(
      'wrong_application',
    );
  });

  it('name a rejected token before the paths that are missing, and else the first look', async () => {
    expect(await probe({ '': 401 })).to.equal('token_rejected');
    expect(await probe({ '/v1/models': 401 })).to.equal('token_rejected');
    expect(await probe({ '': 503, '/ping': 500 })).to.equal('http_503');
  });

  it('ask nothing more of a server that does not answer', async () => {
    expect(await probe({ '': new OutboundError('connection_refused', 'refused') })).to.equal('refused');
    expect(asked).to.deep.equal(['']);
    const redirect = new OutboundError('upstream_error', 'It answered with a redirect', { httpStatus: 302 });
    expect(await probe({ '': redirect, ...READY.openai })).to.equal('openai');
  });
});
