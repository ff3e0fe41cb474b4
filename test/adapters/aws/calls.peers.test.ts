import { createServer } from 'node:https';
import { expect } from 'chai';
import { agentCoreRuntimes } from '../../../src/adapters/aws/agentRuntimes.ts';
import { awsKnowledgeBases } from '../../../src/adapters/aws/knowledgeBases.ts';
import { awsModelEndpoints } from '../../../src/adapters/aws/modelEndpoints.ts';
import { awsModels } from '../../../src/adapters/aws/models.ts';
import type { AwsOptions } from '../../../src/adapters/aws/session.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { CloudAccess } from '../../../src/ports/cloud/cloudAccess.ts';
import { rejection } from '../../support/fault.ts';
import { MODELS, PROFILE, PROFILED_MODEL } from '../../support/peers/aws/awsAnswers.ts';
import {
  AwsGateway,
  DENIED_ROLE,
  type FaultKind,
  KEY_ID,
  REGION,
  ROLE,
  SECRET_KEY,
} from '../../support/peers/aws/awsGateway.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { freePort, listen } from '../../support/peers/listen.ts';
import { needsInstalled } from '../../support/programs/part.ts';
import { preparePython } from '../../support/programs/python.ts';

const KEYS = { accessKeyId: KEY_ID, secretAccessKey: SECRET_KEY };
const ACCESS: CloudAccess = { region: REGION, keys: KEYS };

const failure = (work: Promise<unknown>) => rejection(work, OutboundError);

describe('AWS adapter against moto, signatures verified by botocore', function () {
  this.timeout(240_000);
  let gateway: AwsGateway;
  let options: AwsOptions;
  let base: string;

  before(async function () {
    await needsInstalled(this, 'moto and botocore', () => preparePython('aws'));
    gateway = await AwsGateway.start();
    base = await gateway.moto.createKnowledgeBase('kb', REGION);
    await gateway.moto.createEndpoint('ready', REGION);
    options = { conf: { endpoint_url: gateway.url }, env: {}, policy: { allowPrivate: true } };
  });
  after(() => gateway?.stop());
  beforeEach(() => gateway.reset());

  const describeBase = (access: CloudAccess = ACCESS, id = base, ms = 20_000) =>
    visited(access, (visit) => visit.describe(id), ms);

  async function visited<T>(
    access: CloudAccess,
    work: (visit: Awaited<ReturnType<ReturnType<typeof awsKnowledgeBases>['visit']>>) => Promise<T>,
    ms = 20_000,
  ): Promise<T> {
    using deadline = startDeadline(ms);
    const visit = await awsKnowledgeBases(options).visit(access, deadline);
    try {
      return await work(visit);
    } finally {
      visit.close();
    }
  }

  describe('knowledge bases', () => {
    it('describes one, signed, over HTTP/1.1', async () => {
      expect(await describeBase()).to.deep.equal({ name: 'kb', status: 'ACTIVE' });
      expect(gateway.calls).to.have.length(1);
      expect(gateway.calls[0]).to.deep.include({
        operation: 'GetKnowledgeBase',
        region: REGION,
        service: 'bedrock',
        keyId: KEY_ID,
        httpVersion: '1.1',
      });
    });

    it('answers undefined for one that is not there', async () => {
      expect(await describeBase(ACCESS, 'NOSUCHBASE')).to.equal(undefined);
      expect(await visited(ACCESS, (visit) => visit.retrieve('NOSUCHBASE', { text: 'text', count: 3 }))).to.equal(
        undefined,
      );
    });

    it('retrieves, with any text in the query', async () => {
      const text = 'what is "this" – déjà vu?';
      const passages = await visited(ACCESS, (visit) => visit.retrieve(base, { text, count: 3 }));
      expect(passages).to.deep.equal([{ text: `about ${text}`, score: 0.5, source: {}, metadata: {} }]);
      expect(gateway.calls[0]?.httpVersion).to.equal('1.1');
    });

    it('assumes a role once for a visit, whatever follows', async () => {
      await visited({ ...ACCESS, roleArn: ROLE }, async (visit) => {
        await visit.assumeRole();
        await visit.assumeRole();
        await visit.describe(base);
        await visit.retrieve(base, { text: 'text', count: 3 });
      });
      expect(gateway.operations()).to.deep.equal(['AssumeRole', 'GetKnowledgeBase', 'Retrieve']);
      expect(gateway.calls[0]?.keyId).to.equal(KEY_ID);
      expect(gateway.calls[1]?.keyId).to.match(/^ASIA/).and.equal(gateway.calls[2]?.keyId);
    });

    it('needs no role', async () => {
      await visited(ACCESS, (visit) => visit.assumeRole());
      expect(gateway.operations()).to.deep.equal([]);
    });

    it('reports a role that cannot be assumed', async () => {
      const error = await failure(visited({ ...ACCESS, roleArn: DENIED_ROLE }, (visit) => visit.describe(base)));
      expect(error.code).to.equal('permission_denied');
      expect(error.message).to.contain('sts:AssumeRole').and.to.not.contain(SECRET_KEY);
      expect(gateway.operations()).to.deep.equal(['AssumeRole']);
    });
  });

  describe('calls of models', () => {
    it('are signed, also with a role, and answered as the model answers', async () => {
      const request = { body: '{"instances":[{"town":"Łódź"}]}', contentType: 'application/json', accept: 'text/csv' };
      for (const access of [ACCESS, { ...ACCESS, roleArn: ROLE }]) {
        using deadline = startDeadline(20_000);
        const visit = await awsModelEndpoints(options).visit(access, deadline);
        try {
          const answer = await visit.invoke('ready', request);
          expect(answer).to.deep.include({ kind: 'answered', body: 'body' });
        } finally {
          visit.close();
        }
      }
      expect(gateway.operations()).to.deep.equal(['InvokeEndpoint', 'AssumeRole', 'InvokeEndpoint']);
      expect(gateway.calls[0]).to.include({ service: 'sagemaker', keyId: KEY_ID, httpVersion: '1.1' });
      expect(gateway.calls[2]?.keyId).to.match(/^ASIA/);
    });
  });

  it('calls of agents are signed: the ARN in the path, the session in a header', async () => {
    const arn = `arn:aws:bedrock-agentcore:${REGION}:123456789012:runtime/triage-0000000001`;
    const agents = agentCoreRuntimes({
      aws: async () => options,
      conf: async () => ({}),
      keys: async () => KEYS,
      region: REGION,
    });
    using deadline = startDeadline(20_000);
    const answer = await agents.invoke(arn, { body: '{"input":"Łódź"}', session: 'a'.repeat(64) }, deadline);
    expect(answer).to.deep.equal({ contentType: 'application/json', text: '{"output":"heard Łódź"}' });
    expect(gateway.operations()).to.deep.equal(['InvokeAgentRuntime']);
    expect(gateway.calls[0]).to.include({ service: 'bedrock-agentcore', region: REGION, keyId: KEY_ID, id: arn });
  });

  describe('credentials', () => {
    it('reports an unknown key', async () => {
      const keys = { accessKeyId: 'AKIANOBODYKNOWSTHIS1', secretAccessKey: SECRET_KEY };
      const error = await failure(describeBase({ ...ACCESS, keys }));
      expect(error.code).to.equal('auth_failed');
      expect(error.message).to.contain('UnrecognizedClientException').and.contain('403');
    });

    for (const roleArn of [undefined, ROLE]) {
      it(`reports a wrong secret${roleArn ? ' when a role is assumed' : ''}`, async () => {
        const keys = { accessKeyId: KEY_ID, secretAccessKey: 'another-canary-secret' };
        const error = await failure(describeBase({ ...ACCESS, keys, roleArn }));
        expect(error.code).to.equal('auth_failed');
        expect(error.message).to.not.contain('another-canary-secret');
        expect(gateway.calls).to.have.length(1);
      });
    }

    it('uses those of the environment by default', async () => {
      const before = { ...process.env };
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET_KEY });
      try {
        expect(await describeBase({ region: REGION })).to.have.property('status', 'ACTIVE');
        await describeBase({ region: REGION, roleArn: ROLE });
      } finally {
        process.env = before;
      }
      expect(gateway.operations()).to.deep.equal(['GetKnowledgeBase', 'AssumeRole', 'GetKnowledgeBase']);
    });

    it('reports configuration_invalid without credentials', async () => {
      const before = { ...process.env };
      for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
      Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nonexistent' });
      try {
        for (const roleArn of [undefined, ROLE]) {
          const error = await failure(describeBase({ region: REGION, roleArn }));
          expect(error.code).to.equal('configuration_invalid');
          expect(error.message).to.contain('credentials');
        }
      } finally {
        process.env = before;
      }
      expect(gateway.operations()).to.deep.equal([]);
    });
  });

  describe('faults', () => {
    it('tries again after a throttle and after 5xx', async () => {
      gateway.faults = [
        { kind: 'throttle', times: 1 },
        { kind: 'unavailable', times: 1 },
      ];
      expect(await describeBase()).to.have.property('status', 'ACTIVE');
      expect(gateway.calls).to.have.length(3);
    });

    it('gives up after three attempts, with the error of AWS', async () => {
      gateway.faults = [{ kind: 'throttle', operation: 'GetKnowledgeBase' }];
      const error = await failure(describeBase());
      expect(error).to.include({ code: 'rate_limited', httpStatus: 400 });
      expect(gateway.calls).to.have.length(3);
    });

    it('does not sleep past the deadline', async () => {
      gateway.faults = [{ kind: 'throttle', retryAfter: 3600 }];
      const error = await failure(describeBase());
      expect(error).to.include({ code: 'rate_limited', retryAfter: 3600 });
      expect(gateway.calls).to.have.length(1);
    });

    it('tries again after a reset', async () => {
      gateway.faults = [{ kind: 'reset', times: 2 }];
      expect(await describeBase()).to.have.property('status', 'ACTIVE');
      expect(gateway.calls).to.have.length(3);
    });

    it('holds the deadline against silence, and hangs up', async () => {
      gateway.faults = [{ kind: 'slow' }];
      const error = await failure(describeBase(ACCESS, base, 300));
      expect(error.code).to.equal('timeout');
      expect(gateway.calls).to.have.length(1);
    });

    it('limits the time of a single attempt', async () => {
      gateway.faults = [{ kind: 'slow', times: 2 }];
      expect(await describeBase({ ...ACCESS, attemptMs: 300 })).to.have.property('status', 'ACTIVE');
      expect(gateway.calls).to.have.length(3);
    });

    it('corrects the clock by the time that AWS sends', async () => {
      gateway.faults = [{ kind: 'skewed', times: 1 }];
      expect(await describeBase()).to.have.property('status', 'ACTIVE');
      expect(gateway.calls).to.have.length(2);
    });

    const FAULTS: [FaultKind, string, number][] = [
      ['expired', 'auth_failed', 1],
      ['denied', 'permission_denied', 1],
      ['html', 'upstream_error', 1],
      ['garbage', 'upstream_error', 1],
      ['huge', 'upstream_error', 1],
      ['unavailable', 'upstream_error', 3],
      ['reset', 'connection_reset', 3],
    ];
    for (const operation of ['GetKnowledgeBase', 'AssumeRole', 'Retrieve', 'DescribeEndpoint']) {
      for (const [kind, code, tries] of FAULTS) {
        it(`${operation}: ${kind} is ${code}`, async () => {
          gateway.faults = [{ kind, operation }];
          const error = await failure(callOf(operation));
          expect(error.code, error.message).to.equal(code);
          // A GET that a kept connection did not carry goes out once more before the session's own tries.
          const most = kind === 'reset' && operation === 'GetKnowledgeBase' ? tries + 1 : tries;
          expect(gateway.operations().filter((one) => one === operation).length).to.be.within(tries, most);
          expect(error.message).to.not.match(/canary|<html|\n/);
          expect(error.message.length).to.be.below(500);
        });
      }
    }

    async function callOf(operation: string): Promise<unknown> {
      if (operation === 'AssumeRole') return describeBase({ ...ACCESS, roleArn: ROLE });
      if (operation === 'Retrieve') return visited(ACCESS, (visit) => visit.retrieve(base, { text: 'text', count: 3 }));
      if (operation === 'DescribeEndpoint') return describeEndpoint('ready');
      return describeBase();
    }
  });

  async function describeEndpoint(name: string, more: Partial<AwsOptions> = {}) {
    using deadline = startDeadline(20_000);
    return awsModelEndpoints({ ...options, ...more }).describe(ACCESS, name, deadline);
  }

  describe('model endpoints', () => {
    it('returns the state and the reason of a failure', async () => {
      expect(await describeEndpoint('ready')).to.deep.equal({ status: 'InService' });
      gateway.statuses.set('ready', 'Failed');
      expect(await describeEndpoint('ready')).to.deep.equal({
        status: 'Failed',
        failureReason: 'The image could not be pulled',
      });
    });

    it('answers undefined for one that is not there', async () => {
      expect(await describeEndpoint('absent')).to.equal(undefined);
    });
  });

  describe('models', () => {
    const models = () => awsModels(options);
    const chat = async (model: string) => {
      using deadline = startDeadline(20_000);
      const input = { messages: [{ role: 'user', content: [{ text: 'Hello?' }] }], inferenceConfig: { maxTokens: 16 } };
      return models().converse(ACCESS, model, input, deadline);
    };

    it('lists models and profiles', async () => {
      using deadline = startDeadline(20_000);
      expect(await models().list(ACCESS, deadline)).to.deep.equal([...MODELS, PROFILE].sort());
    });

    it('lists models where profiles may not be listed', async () => {
      gateway.faults = [{ kind: 'denied', operation: 'ListInferenceProfiles' }];
      using deadline = startDeadline(20_000);
      expect(await models().list(ACCESS, deadline)).to.deep.equal([...MODELS].sort());
    });

    it('chats: ids with a colon are signed as AWS reads them', async () => {
      const { httpStatus, output } = await chat(PROFILE);
      expect([httpStatus, output.stopReason]).to.deep.equal([200, 'end_turn']);
      const content = [{ text: 'Hello' }, { text: ' there' }];
      expect(output.output).to.deep.equal({ message: { role: 'assistant', content } });
      expect(gateway.calls[0]).to.include({ httpVersion: '1.1', id: PROFILE });
    });

    it('chats by the ARN of a profile: slashes too', async () => {
      const arn = `arn:aws:bedrock:eu-central-1:123456789012:inference-profile/${PROFILE}`;
      const error = await failure(chat(arn));
      expect(error.code).to.equal('model_not_found');
      expect(gateway.calls[0]?.id).to.equal(arn);
    });

    it('calls a model with a body of its own, and reads the tokens in the header', async () => {
      using deadline = startDeadline(20_000);
      const invoke = (model: string) => models().invoke(ACCESS, model, { texts: ['x'] }, deadline);
      const { httpStatus, output, inputTokens } = await invoke('cohere.embed-v4:0');
      expect([httpStatus, output, inputTokens]).to.deep.equal([200, { embeddings: { float: [[0.5]] } }, 4]);
      expect((await failure(invoke('html'))).code).to.equal('upstream_error');
      expect((await failure(invoke('short'))).code).to.equal('context_length_exceeded');
    });

    it('reports an unknown model, and one that needs a profile', async () => {
      expect((await failure(chat('nobody.knows'))).code).to.equal('model_not_found');
      const error = await failure(chat(PROFILED_MODEL));
      expect(error.code).to.equal('model_not_invokable');
      expect(error.message).to.contain('inference profile');
    });
  });

  describe('addresses', () => {
    it('are those of the settings, then of the environment', async () => {
      const nowhere = `http://127.0.0.1:${await freePort()}`;
      const env = { AWS_ENDPOINT_URL: nowhere };
      const sources = { conf: { endpoint_url_sagemaker: gateway.url, endpoint_url: nowhere }, env };
      expect(await describeEndpoint('ready', sources)).to.deep.equal({ status: 'InService' });
      expect((await failure(describeEndpoint('ready', { conf: {}, env }))).code).to.equal('connection_refused');
    });

    it("a record's own address takes every call but those to STS", async () => {
      const nowhere = `http://127.0.0.1:${await freePort()}`;
      const access = { ...ACCESS, roleArn: ROLE, endpoint: nowhere };
      const error = await failure(describeBase(access));
      expect(error.code).to.equal('connection_refused');
      expect(gateway.operations()).to.deep.equal(['AssumeRole']);
    });

    describe('with TLS', () => {
      const certificate = makeCertificate();
      let secure: { port: number; close(): Promise<void> };
      let endpoint: string;
      before(async () => {
        const server = createServer({ ...certificate }, (request, response) => gateway.answer(request, response));
        server.on('tlsClientError', () => {});
        secure = await listen(server);
        endpoint = `https://127.0.0.1:${secure.port}`;
      });
      after(() => secure?.close());

      it('verifies by default', async () => {
        const error = await failure(describeEndpoint('ready', { conf: { endpoint_url: endpoint } }));
        expect(error.code).to.equal('tls_untrusted');
        expect((await failure(describeBase({ ...ACCESS, endpoint }))).code).to.equal('tls_untrusted');
        expect(gateway.calls).to.have.length(0);
      });

      it("trusts a record's own address as the record says", async () => {
        for (const trust of [{ caCertificate: certificate.cert }, { verifyTls: false }]) {
          expect(await describeBase({ ...ACCESS, endpoint, ...trust })).to.have.property('status', 'ACTIVE');
        }
      });

      it('does not extend that trust to STS', async () => {
        options = { ...options, conf: { endpoint_url: gateway.url, endpoint_url_sts: endpoint } };
        try {
          for (const trust of [{ caCertificate: certificate.cert }, { verifyTls: false }]) {
            const error = await failure(describeBase({ ...ACCESS, endpoint, roleArn: ROLE, ...trust }));
            expect(error.code).to.equal('tls_untrusted');
          }
        } finally {
          options = { ...options, conf: { endpoint_url: gateway.url } };
        }
        expect(gateway.calls).to.have.length(0);
      });
    });

    it('keeps the outbound policy', async () => {
      for (const [endpoint_url, policy, code] of [
        ['http://169.254.169.254/', { allowPrivate: true }, 'blocked_by_policy'],
        [gateway.url, { allowPrivate: false }, 'blocked_by_policy'],
        ['ftp://127.0.0.1/', { allowPrivate: true }, 'configuration_invalid'],
        ['http://user:secret@127.0.0.1/', { allowPrivate: true }, 'configuration_invalid'],
      ] as const) {
        const error = await failure(describeEndpoint('ready', { conf: { endpoint_url }, policy }));
        expect(error.code, endpoint_url).to.equal(code);
        expect(error.message).to.not.contain('secret@');
      }
      expect(gateway.calls).to.have.length(0);
    });
  });
});
