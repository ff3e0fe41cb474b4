import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { authorizeConf } from '../../../src/codegen/conf/conf.ts';
import { MemoryApp } from '../../support/memory/app.ts';

const PAGE = readFileSync(new URL('../../../docs/agentstatus.md', import.meta.url), 'utf8');
/** Roles of AI Toolkit 5.7 with those of their capabilities that this app defines, too. */
const THEIRS: Readonly<Record<string, string[]>> = {
  mltk_model_admin: ['edit_agent_connections', 'edit_ai_commander_config', 'list_ai_commander_config', 'run_agents'],
  dsdl_admin: ['list_container_connections', 'list_containers', 'control_containers'],
};
const SHARED = Object.values(THEIRS).flat();
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('rights that AI Toolkit shares', () => {
  const app = new MemoryApp();
  before(() => {
    for (const [role, capabilities] of Object.entries(THEIRS)) app.user(role, { capabilities });
  });

  const rows = [...PAGE.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const rolesOf = (column: number) => {
    const pairs = rows.flatMap((row) =>
      namesIn(row[0]).flatMap((name) => namesIn(row[column]).map((role) => [role, name] as const)),
    );
    const roles = [...new Set(pairs.map(([role]) => role))];
    return Object.fromEntries(roles.map((role) => [role, pairs.filter((pair) => pair[0] === role).map(([, n]) => n)]));
  };

  it('are in the page with the roles of AI Toolkit that have them', () => {
    expect(rolesOf(2)).to.deep.equal(THEIRS);
  });

  it('are in the page with the roles of this app that have them', () => {
    const conf = authorizeConf();
    const ofRole = (role: string) => {
      const stanza = conf.split(`[role_${role}]\n`)[1]?.split('\n[')[0] ?? '';
      return SHARED.filter((name) => stanza.includes(`${name} = enabled`));
    };
    const ours = rolesOf(3);
    expect(Object.keys(ours)).to.have.members(['ml_user', 'ml_admin']);
    for (const [role, names] of Object.entries(ours)) expect(names, role).to.have.members(ofRole(role));
    for (const role of ['admin', 'sc_admin']) expect(ofRole(role), role).to.have.members(SHARED);
  });

  const SERVER = { name: 'a', type: 'PLATFORM', details: { url: 'https://mcp.example' } };
  const MODEL = {
    ...{ service: 'General_Chat', connection_name: 'main', model: 'gpt-4o' },
    servicesettings: { access_token: { value: 'key-of-the-provider' } },
  };
  const ENGINE = { container_type: 'docker', connection_name: 'a', docker_url: 'tcp://127.0.0.1:1' };
  const STOP: Call = ['DELETE', '/start_container/none'];
  const CONNECT: Call = ['POST', '/mcp_connection', SERVER];
  const CONFIGURE: Call = ['POST', '/aicommander', MODEL];
  type Call = [method: string, path: string, body?: object];
  const ALWAYS_REFUSED: Call[] = [
    ['POST', '/agents', { name: 'a' }],
    ['POST', '/container_connection', { payload: ENGINE }],
    ['POST', '/usage_limits', { name: 'a', window: 'day', requests: 1 }],
    ['POST', '/ai_gateway/v1/chat/completions', { model: 'm', messages: [] }],
    ['POST', '/ai_gateway/runs', { agent: 'none', input: 'x' }],
  ];

  const CASES: Readonly<Record<string, [allowed: Call[], refused: Call[]]>> = {
    mltk_model_admin: [
      [CONNECT, CONFIGURE, ['GET', '/aicommander']],
      [STOP, ['GET', '/container_connection/docker']],
    ],
    dsdl_admin: [
      [STOP, ['GET', '/container_connection/docker']],
      [CONNECT, CONFIGURE, ['GET', '/aicommander']],
    ],
  };
  for (const [role, [allowed, refused]] of Object.entries(CASES)) {
    it(`let ${role} do what the page says, and no more`, async () => {
      for (const [method, path, body] of allowed) {
        const { status, json } = await app.call(role, method, path, body);
        expect(status, `${method} ${path} ${JSON.stringify(json).slice(0, 200)}`).to.be.oneOf([200, 404]);
        expect(json.error_code).to.be.oneOf([undefined, 'not_found']);
      }
      for (const [method, path, body] of [...refused, ...ALWAYS_REFUSED]) {
        const { status, json } = await app.call(role, method, path, body);
        expect([status, json.error_code], `${method} ${path}`).to.deep.equal([403, 'missing_capability']);
      }
    });
  }
});
