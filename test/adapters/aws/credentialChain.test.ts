import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { AwsSession } from '../../../src/adapters/aws/session.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { rejection } from '../../support/fault.ts';
import { type RoleCredentials, startInstanceMetadata } from '../../support/peers/aws/instanceMetadata.ts';
import { listen } from '../../support/peers/listen.ts';

const ROLE = 'arn:aws:iam::123456789012:role/of-tests';
const INSTANCE: RoleCredentials = { keyId: 'AKIDINSTANCE', secret: 'instance-secret', token: 'instance-token' };

const stsReply = (action: string, keyId: string) =>
  `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>
<AccessKeyId>${keyId}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
<Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></${action}Result></${action}Response>`;

describe("the SDK's credential chain", () => {
  let folder: string;
  let proxy: Awaited<ReturnType<typeof listen>>;
  let isRefusing: boolean;
  const asked: string[] = [];
  const environment = { ...process.env };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'chain-'));
    writeFileSync(join(folder, 'token'), 'a.web.token');
    const portal = {
      roleCredentials: { accessKeyId: 'AKIDSSO', secretAccessKey: 's', sessionToken: 't', expiration: 4e12 },
    };
    // Every host is behind the proxy, and none has a name that resolves.
    proxy = await listen(
      createServer(async (request, response) => {
        const { host, pathname } = new URL(request.url ?? '', 'http://no-host.invalid');
        const action = new URLSearchParams(await text(request)).get('Action') ?? pathname;
        asked.push(`${host} ${action}`);
        if (isRefusing) response.writeHead(407).end();
        else if (host === 'sso.invalid')
          response.setHeader('content-type', 'application/json').end(JSON.stringify(portal));
        else response.setHeader('content-type', 'text/xml').end(stsReply(action, 'AKIDWEB'));
      }),
    );
  });
  after(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    asked.length = 0;
    isRefusing = false;
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    Object.assign(process.env, { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' });
  });
  afterEach(() => {
    process.env = { ...environment };
  });

  /** The id of the key that calls are signed with. */
  const keyId = async (): Promise<unknown> => {
    using deadline = startDeadline(10_000);
    const policy = { allowPrivate: false, proxyUrl: `http://127.0.0.1:${proxy.port}` };
    const access = { region: 'eu-west-1', attempts: 1 };
    using session = new AwsSession({ conf: {}, env: {}, policy }, access, deadline);
    return session.send('eks', async ({ config }) => {
      const { credentials } = config as { credentials: unknown };
      const { accessKeyId } = typeof credentials === 'function' ? await credentials() : (credentials as never);
      return accessKeyId;
    });
  };

  it('exchanges a web identity through the proxy', async () => {
    Object.assign(process.env, {
      AWS_ROLE_ARN: ROLE,
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
      AWS_ENDPOINT_URL_STS: 'http://sts.invalid',
    });
    expect(await keyId()).to.equal('AKIDWEB');
    expect(asked).to.deep.equal(['sts.invalid AssumeRoleWithWebIdentity']);
    isRefusing = true;
    const error = await rejection(keyId(), OutboundError);
    expect(error.message).to.match(/407/);
  });

  it('exchanges the token of a single sign-on through the proxy', async () => {
    const start = 'https://start.invalid';
    const cache = join(folder, '.aws/sso/cache');
    mkdirSync(cache, { recursive: true });
    const token = { accessToken: 'sso-token', expiresAt: '2100-01-01T00:00:00Z', startUrl: start, region: 'eu-west-1' };
    writeFileSync(join(cache, `${createHash('sha1').update(start).digest('hex')}.json`), JSON.stringify(token));
    const config = join(folder, 'sso.conf');
    writeFileSync(
      config,
      `[default]\nsso_start_url = ${start}\nsso_region = eu-west-1\nsso_account_id = 123456789012\nsso_role_name = of-tests\n`,
    );
    Object.assign(process.env, { AWS_CONFIG_FILE: config, AWS_ENDPOINT_URL_SSO: 'http://sso.invalid' });
    expect(await keyId()).to.equal('AKIDSSO');
    expect(asked).to.deep.equal(['sso.invalid /federation/credentials']);
  });

  it('reads the role of an instance and of a container without the proxy', async () => {
    const metadata = await startInstanceMetadata(INSTANCE);
    const endpoint = metadata.url;
    Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint });
    try {
      expect(await keyId()).to.equal('AKIDINSTANCE');
    } finally {
      await metadata.close();
    }
    for (const address of [
      { AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://metadata.invalid' },
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'https://container.invalid/role' },
    ]) {
      delete process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT;
      Object.assign(process.env, address);
      await rejection(keyId(), OutboundError);
    }
    expect(asked).to.deep.equal([]);
  });
});
