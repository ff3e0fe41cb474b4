import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { SplunkdCall, SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { PlatformTenants } from '../../../src/adapters/splunkd/tenant.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { PlatformTenant, Tenant } from '../../../src/ports/llm/platformTenant.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { jwt } from '../../support/records/jwt.ts';

const ACME: Tenant = { tenant: 'acme-prod', host: 'acme-prod.api.scs.example' };
const COLLECTION = 'ml_platform_tokens';
const MINUTE = 60_000;

type Reply = { status: number; content?: unknown; text?: string };

/** A platform of one or more processes, whose replies a test sets. */
class Site {
  readonly memory = new MemoryPlatform();
  readonly calls: SplunkdCall[] = [];
  info: Reply = { status: 200, content: { tenant: ACME.tenant, tenantHostname: ACME.host } };
  issue: () => Reply | Promise<Reply> = () => ({ status: 200, content: { scs_token: this.newToken() } });
  life: number | undefined = 3600;
  issued = 0;

  newToken(): string {
    this.issued += 1;
    const signature = `canary-${this.issued}`;
    if (this.life === undefined) return signature;
    return jwt(Math.round(this.memory.clock.seconds()) + this.life).replace(/[^.]+$/, signature);
  }

  process(): PlatformTenant {
    const call = async (asked: SplunkdCall) => {
      this.calls.push(asked);
      const { status, content, text } = asked.endpoint.endsWith('tenantinfo') ? this.info : await this.issue();
      return { status, text: text ?? JSON.stringify({ entry: [{ content }] }), repeated: false };
    };
    const client = { call } as unknown as SplunkdClient;
    return new PlatformTenants().for(client, 'system-token-canary', this.memory.process());
  }

  documents = () => this.memory.records.all(COLLECTION);
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('nothing was thrown'),
    ({ code, message }) => `${code}: ${message}`,
  );

describe("the platform's tenant", () => {
  it('is asked for as the system, and remembered for a while', async () => {
    const site = new Site();
    const process = site.process();
    expect(await process.find()).to.deep.equal(ACME);
    expect(await process.find()).to.deep.equal(ACME);
    expect(site.calls).to.have.length(1);
    expect(site.calls[0]).to.include({ endpoint: 'server/scs/tenantinfo', token: 'system-token-canary' });
    expect(site.calls[0]).to.include({ namespace: 'services', method: 'GET' });
  });

  it('is none on premises', async () => {
    const site = new Site();
    site.info = { status: 404 };
    const process = site.process();
    expect([await process.find(), await process.find(), site.calls.length]).to.deep.equal([undefined, undefined, 1]);
  });

  it('is refused, and nothing of the refusal is told or remembered', async () => {
    const site = new Site();
    const process = site.process();
    const told = 'The platform did not give the app its tenant information';
    for (const [status, code] of [
      [403, 'permission_denied'],
      [401, 'permission_denied'],
      [500, 'upstream_error'],
      [503, 'upstream_error'],
    ] as const) {
      site.info = { status, text: 'system-token-canary' };
      expect(await failureOf(process.find())).to.equal(`${code}: ${told} (${status})`);
    }
    site.info = { status: 200, content: { tenant: 'acme', tenantHostname: 'acme.example' } };
    expect(await process.find()).to.deep.equal({ tenant: 'acme', host: 'acme.example' });
  });

  it('has a name and a host that lead nowhere else', async () => {
    for (const [tenant, tenantHostname] of [
      ['..', 'acme.example'],
      ['a/b', 'acme.example'],
      ['acme', 'acme.example/path'],
      ['acme', 'user@acme.example'],
      ['acme', 'acme.example?x'],
      ['acme', ''],
      ['acme', undefined],
      [undefined, 'acme.example'],
    ]) {
      const site = new Site();
      site.info = { status: 200, content: { tenant, tenantHostname } };
      expect(await failureOf(site.process().find()), `${tenant} ${tenantHostname}`).to.match(/^upstream_error: /);
    }
    const site = new Site();
    site.info = { status: 200, text: '<html>' };
    expect(await failureOf(site.process().find())).to.match(/^upstream_error: /);
  });
});

describe('the token of the tenant', () => {
  const get = async (process: PlatformTenant, tenant = ACME) => {
    using deadline = startDeadline(5000);
    return process.token(tenant, deadline);
  };
  const renew = async (process: PlatformTenant, refused: string) => {
    using deadline = startDeadline(5000);
    return process.renewed(ACME, refused, deadline);
  };

  it('is asked for as the system, and kept in the secret store alone', async () => {
    const site = new Site();
    const token = await get(site.process());
    expect(site.calls).to.have.length(1);
    expect(site.calls[0]).to.include({ endpoint: 'authorization/scs_tokens', token: 'system-token-canary' });
    expect(site.calls[0]?.query).to.deep.equal({ principalId: 'slim', scope: 'tenant' });
    const [document] = site.documents();
    expect(document).to.have.all.keys('_key', 'holder', 'secret_ref', 'domain', 'issued_at', 'use_ms');
    expect([...site.memory.secrets.values]).to.deep.equal([[document?.secret_ref, JSON.stringify({ token })]]);
    expect(site.memory.records.dump() + site.memory.log.text()).to.not.contain(token);
    expect(site.memory.log.text()).to.contain('tenant_token_renewed');
  });

  it('is the same for all processes, and one of them asks for it', async () => {
    const site = new Site();
    const { issue } = site;
    site.issue = () => site.memory.clock.during(setTimeout(50).then(issue));
    const all = Array.from({ length: 5 }, () => get(site.process()));
    expect(new Set(await Promise.all(all)).size).to.equal(1);
    expect(site.issued).to.equal(1);
    expect(site.memory.secrets.values.size).to.equal(1);
  });

  it('is renewed at 80 % of its life, and the old one removed', async () => {
    const site = new Site();
    const process = site.process();
    const first = await get(process);
    site.memory.clock.advance(47 * MINUTE);
    expect(await get(process)).to.equal(first);
    expect(await get(site.process())).to.equal(first);
    site.memory.clock.advance(MINUTE + 1000);
    const second = await get(process);
    expect(second).to.not.equal(first);
    expect(await get(site.process())).to.equal(second);
    expect(site.issued).to.equal(2);
    expect([...site.memory.secrets.values.values()]).to.deep.equal([JSON.stringify({ token: second })]);
  });

  it('is renewed after 40 minutes where its life is unknown or over', async () => {
    for (const life of [undefined, -5]) {
      const site = new Site();
      site.life = life;
      const process = site.process();
      const first = await get(process);
      site.memory.clock.advance(39 * MINUTE);
      expect(await get(process)).to.equal(first);
      site.memory.clock.advance(2 * MINUTE);
      expect(await get(process)).to.not.equal(first);
    }
  });

  it('is renewed once where it is refused, by one process, unless it is new', async () => {
    const site = new Site();
    const [one, other] = [site.process(), site.process()];
    const first = await get(one);
    expect(await get(other)).to.equal(first);
    expect(await renew(one, first)).to.equal(undefined);
    expect(site.issued).to.equal(1);
    site.memory.clock.advance(31_000);
    const [renewed, read] = await Promise.all([renew(one, first), renew(other, first)]);
    expect(renewed).to.equal(read).and.not.equal(first);
    expect(site.issued).to.equal(2);
    expect(await get(other)).to.equal(renewed);
  });

  it('is another one for another tenant or host', async () => {
    const site = new Site();
    const process = site.process();
    const first = await get(process);
    const moved = await get(process, { ...ACME, host: 'elsewhere.example' });
    expect(moved).to.not.equal(first);
    expect(await get(process, { ...ACME, host: 'elsewhere.example' })).to.equal(moved);
    expect(await get(process, { tenant: 'other', host: 'elsewhere.example' })).to.not.equal(moved);
    expect(site.documents()).to.have.length(1);
    expect(site.memory.secrets.values.size).to.equal(1);
  });

  it('is refused, missing or malformed: said without the words of the platform, and the lease is free', async () => {
    const site = new Site();
    const told = "The platform did not give the app a token for the tenant's models";
    for (const [reply, expected] of [
      [{ status: 403, text: 'system-token-canary' }, `permission_denied: ${told} (403)`],
      [{ status: 404 }, `upstream_error: ${told} (404)`],
      [{ status: 500 }, `upstream_error: ${told} (500)`],
      [{ status: 200, content: {} }, "upstream_error: The platform answered without a token for the tenant's models"],
      [
        { status: 200, content: { scs_token: 'two\nlines' } },
        "upstream_error: The platform answered without a token for the tenant's models",
      ],
    ] as const) {
      site.issue = () => reply;
      expect(await failureOf(get(site.process()))).to.equal(expected);
    }
    site.issue = () => ({ status: 200, content: { scs_token: site.newToken() } });
    expect(await get(site.process())).to.be.a('string');
  });

  it('is waited for until the deadline where another process is at it', async () => {
    const site = new Site();
    const { issue } = site;
    site.issue = () => site.memory.clock.during(setTimeout(100).then(issue));
    const first = get(site.process());
    await setTimeout(10);
    const soon = { signal: new AbortController().signal, remaining: () => 50 };
    expect(await failureOf(site.process().token(ACME, soon))).to.equal(
      'timeout: Another process is still renewing the token of the tenant',
    );
    await first;
  });

  it('is asked for anew where its document is damaged', async () => {
    for (const damage of [{ secret_ref: 7 }, { use_ms: 'never' }, { issued_at: null }, { holder: ['acme-prod'] }]) {
      const site = new Site();
      const first = await get(site.process());
      const [document] = site.documents();
      site.memory.records.collection(COLLECTION).set('slim', JSON.stringify({ ...document, ...damage }));
      const second = await get(site.process());
      expect(second, JSON.stringify(damage)).to.not.equal(first);
      expect(await get(site.process())).to.equal(second);
    }
  });

  it('is asked for anew where its secret is lost', async () => {
    const site = new Site();
    const first = await get(site.process());
    site.memory.secrets.values.clear();
    expect(await get(site.process())).to.not.equal(first);
    expect(site.memory.secrets.values.size).to.equal(1);
  });
});
