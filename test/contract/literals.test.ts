import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readXml, type XmlElement } from '../../platform/src/web/pages/xmlReader.ts';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { CODES, type FaultCode } from '../../src/contract/codes/codes.ts';
import { OUTBOUND_CODES } from '../../src/contract/codes/outbound.ts';
import { confBoolean, FEATURE_FLAGS } from '../../src/contract/settings/flags.ts';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Stanza -> key -> value of a conf file. */
function stanzas(path: string): Record<string, Record<string, string>> {
  const all: Record<string, Record<string, string>> = {};
  let current: Record<string, string> = {};
  for (const line of file(path).split('\n')) {
    const head = /^\[(.*)\]$/.exec(line);
    if (head?.[1]) {
      current = {};
      all[head[1]] = current;
    } else if (/^[^#].*=/.test(line)) {
      const at = line.indexOf('=');
      current[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    }
  }
  return all;
}

/** Contract 1.3, word for word. */
const STATUSES: Record<string, number> = {
  malformed_json: 400,
  validation_failed: 400,
  masked_value_without_stored_secret: 400,
  secret_required_for_new_host: 400,
  unknown_reference: 400,
  missing_capability: 403,
  acl_denied: 403,
  feature_disabled: 403,
  not_found: 404,
  unknown_endpoint: 404,
  method_not_allowed: 405,
  duplicate_name: 409,
  version_conflict: 409,
  in_use: 409,
  invalid_state: 409,
  already_running: 409,
  already_exists: 409,
  payload_too_large: 413,
  rate_limited: 429,
  internal_error: 500,
  verification_failed: 500,
  upstream_error: 502,
  newer_schema: 503,
  store_unavailable: 503,
  upstream_timeout: 504,
  timeout: 504,
  auth_failed: 502,
  permission_denied: 502,
  model_not_found: 502,
};

describe('values of the contract', () => {
  it('each code has the status of the contract', () => {
    for (const [code, status] of Object.entries(STATUSES))
      expect(CODES[code as FaultCode].status, code).to.equal(status);
    for (const code of Object.keys(CODES)) expect(code).to.match(/^[a-z0-9_]+$/);
  });

  it('the outbound codes are these and no others', () => {
    expect([...OUTBOUND_CODES]).to.have.members(
      `auth_failed, permission_denied, model_not_found, model_not_invokable, rate_limited, quota_exceeded, bad_request,
       upstream_error, timeout, dns_failed, connection_refused, connection_reset, tls_untrusted, tls_hostname_mismatch,
       tls_expired, tls_protocol, blocked_by_policy, configuration_invalid, not_supported`.split(/,\s+/),
    );
  });

  it('the capabilities and who has them', () => {
    const names = Object.keys(CAPABILITIES);
    expect(names).to.have.members([
      'edit_agent_connections',
      'edit_agents',
      'run_agents',
      'edit_ai_commander_config',
      'list_ai_commander_config',
      'list_container_connections',
      'edit_container_connections',
      'list_containers',
      'control_containers',
      'upload_ml_models',
      'register_ml_models',
      'use_ai_gateway',
      'list_ml_audit',
      'list_ml_usage',
      'edit_usage_limits',
      'edit_search_tools',
      'list_search_tools',
      'edit_masking',
      'run_spl_tool',
    ]);
    expect(names.filter((name) => CAPABILITIES[name as keyof typeof CAPABILITIES].user)).to.have.members([
      'run_agents',
      'list_ai_commander_config',
      'list_container_connections',
      'list_containers',
      'use_ai_gateway',
      'list_search_tools',
    ]);
  });

  it('the feature flags are on unless switched off in the words of the platform', () => {
    expect(Object.values(FEATURE_FLAGS)).to.deep.equal(Object.keys(FEATURE_FLAGS).map(() => true));
    for (const yes of ['1', 'true', ' TRUE ', 'yes', 'on', 't', 'y']) expect(confBoolean(yes), yes).to.equal(true);
    for (const no of ['0', 'false', 'No', 'off', 'f', 'n']) expect(confBoolean(no), no).to.equal(false);
    for (const other of ['', 'maybe', undefined, '2']) expect(confBoolean(other)).to.equal(undefined);
  });
});

describe('conf files', () => {
  it('authorize.conf declares each capability and gives it to the roles of the contract', () => {
    const conf = stanzas('default/authorize.conf');
    const names = Object.keys(CAPABILITIES);
    for (const name of names) expect(conf).to.have.property(`capability::${name}`);
    const enabled = (role: string) => Object.keys(conf[role] ?? {}).filter((key) => conf[role]?.[key] === 'enabled');
    expect(conf.role_ml_user?.importRoles).to.equal('user');
    expect(enabled('role_ml_user')).to.have.members([
      'run_agents',
      'list_ai_commander_config',
      'list_container_connections',
      'list_containers',
      'use_ai_gateway',
      'list_search_tools',
    ]);
    expect(conf.role_ml_admin?.importRoles).to.equal('ml_user');
    for (const role of ['role_ml_admin', 'role_admin', 'role_sc_admin']) expect(enabled(role)).to.have.members(names);
    // An importRoles here would replace what the platform gives its own roles.
    expect(conf.role_admin).not.to.have.property('importRoles');
    expect(conf.role_sc_admin).not.to.have.property('importRoles');
  });

  it('restmap.conf has a stanza for each driver, with the system token, headers and the body in base64', () => {
    const conf = stanzas('default/restmap.conf');
    const common = {
      scripttype: 'persist',
      output_modes: 'json',
      passPayload: 'base64',
      passHttpHeaders: 'true',
      passSystemAuth: 'true',
      requireAuthentication: 'true',
    };
    // A capability here would answer in the words of the platform before ours are asked.
    expect(conf).to.deep.equal({
      'script:ml_extension': { match: '/ml', driver: 'ml_rest.sh', script: 'ml_rest.mjs', ...common },
      'script:ml_extension_gateway': {
        match: '/ai_gateway',
        driver: 'ml_gateway.sh',
        script: 'ml_gateway.mjs',
        ...common,
      },
    });
  });

  it('commands.conf has the commands, chunked, with nothing that a command of version 2 says itself', () => {
    expect(stanzas('default/commands.conf')).to.deep.equal({
      agentstatus: { chunked: 'true', filename: 'agentstatus.sh' },
      mlhealth: { chunked: 'true', filename: 'mlhealth.sh' },
      mlusage: { chunked: 'true', filename: 'mlusage.sh' },
      mllist: { chunked: 'true', filename: 'mllist.sh' },
      mlchat: { chunked: 'true', filename: 'mlchat.sh', is_risky: 'true', run_in_preview: 'false' },
      mlretrieve: { chunked: 'true', filename: 'mlretrieve.sh', is_risky: 'true', run_in_preview: 'false' },
      mlindex: { chunked: 'true', filename: 'mlindex.sh', is_risky: 'true', run_in_preview: 'false' },
      mlpredict: { chunked: 'true', filename: 'mlpredict.sh', is_risky: 'true', run_in_preview: 'false' },
      mlagent: { chunked: 'true', filename: 'mlagent.sh', is_risky: 'true', run_in_preview: 'false' },
      mltool: { chunked: 'true', filename: 'mltool.sh', is_risky: 'true', run_in_preview: 'false' },
      mlembed: { chunked: 'true', filename: 'mlembed.sh', is_risky: 'true', run_in_preview: 'false' },
    });
    // Splunk Web asks each viewer of a dashboard before it runs a risky command, and no search that ships has one.
    const shipped = ['default/savedsearches.conf', 'default/data/ui/views/ml_usage_dashboard.xml'].map(file).join();
    expect(shipped.match(/\|\s*ml(chat|retrieve|predict|agent|tool|embed)\b/)).to.equal(null);
    expect(Object.keys(stanzas('default/searchbnf.conf'))).to.deep.equal([
      'agentstatus-command',
      'mlhealth-command',
      'mlusage-command',
      'mllist-command',
      'mlchat-command',
      'mlembed-command',
      'mlretrieve-command',
      'mlindex-command',
      'mltool-command',
      'mlpredict-command',
      'mlagent-command',
    ]);
    expect(stanzas('default/searchbnf.conf')['agentstatus-command']).to.include({
      syntax: 'agentstatus (agent_name=<string>)? (action=create|delete)? (timeout=<seconds>)? (interval=<seconds>)?',
      usage: 'public',
    });
    expect(stanzas('default/searchbnf.conf')['mlhealth-command']?.syntax).to.match(
      /^mlhealth \(family=mcp-connections\|.*\)\? \(state=.*\|ok\)\? \(check=true\|false\)\? \(max_age=<seconds>\)\?$/,
    );
  });

  it('savedsearches.conf has seven, which run only once somebody has switched them on', () => {
    const saved = stanzas('default/savedsearches.conf');
    const searches = Object.values(saved).map(({ search }) => search);
    expect(searches.slice(0, 2)).to.deep.equal([
      '| mlhealth check=true | where state="failing" OR state="reauth_required"',
      '| mlhealth | where isnum(expires_in_days) AND expires_in_days <= 14',
    ]);
    for (const search of searches.slice(2, 5))
      expect(search).to.match(/^index=_internal sourcetype=ml_extension:usage /);
    for (const search of searches.slice(5)) expect(search).to.match(/^index=_internal sourcetype=ml_extension:run /);
    expect(Object.keys(saved).slice(2)).to.deep.equal([
      'ML tokens and cost by user and model a day',
      'ML failures by code',
      'ML slowest upstreams',
      'ML runs that wait for approval',
      'ML runs that failed or hold unverified claims',
    ]);
    for (const { disabled, enableSched, cron_schedule } of Object.values(saved)) {
      expect([disabled, enableSched]).to.deep.equal(['1', '1']);
      expect(cron_schedule).to.match(/^(\S+ ){4}\S+$/);
    }
  });

  it('the dashboard has the saved searches of usage, with the index and the time of its form', () => {
    const root = readXml(file('default/data/ui/views/ml_usage_dashboard.xml'));
    expect([root.name, root.attributes]).to.deep.equal(['form', { version: '1.1', isVisible: 'false' }]);
    const found: string[] = [];
    const visit = ({ name, text, children }: XmlElement): void => {
      if (name === 'query') found.push(text.trim());
      children.forEach(visit);
    };
    visit(root);
    const saved = Object.values(stanzas('default/savedsearches.conf')).slice(2, 5);
    const shown = saved.map(({ search = '' }) => search.replace('index=_internal', 'index=$index|s$'));
    expect(found).to.include.members(shown);
    expect(found.length - shown.length, 'charts').to.equal(2);
    for (const query of found) expect(query).to.match(/^index=\$index\|s\$ sourcetype=ml_extension:usage /);
  });

  it('metadata exports the commands, their help, the alert action and what finds the fields of events, and nothing else', () => {
    const meta = stanzas('app/metadata/default.meta');
    const exported = Object.keys(meta).filter((name) => meta[name]?.export === 'system');
    expect(exported).to.have.members(['commands', 'props', 'searchbnf', 'alert_actions/ml_agent', 'alerts/ml_agent']);
    expect(file('app/metadata/default.meta')).to.include('export = none');
  });

  it('web.conf exposes exactly what is below ml and ai_gateway', () => {
    const patterns = Object.values(stanzas('default/web.conf')).map((stanza) => stanza.pattern);
    expect(patterns).to.have.members(['ml', 'ml/**', 'ai_gateway', 'ai_gateway/**']);
  });
});
