import { CheckFailure, must } from './answer.ts';
import type { Check } from './check.ts';
import { CONTENT, type Visit } from './visit.ts';

const INFO = '/services/server/info';

export const ACCESS_CHECKS: readonly Check[] = [
  {
    code: 'reach',
    remedy: 'Compare --url with the address of the management port. Nothing was logged in to.',
    /** No password is sent to another peer. */
    async check(visit) {
      const answer = await visit.read(INFO, { isAnonymous: true });
      const { status, headers, body, ms } = answer;
      const to = `${status}, to ${headers.get('location') ?? ''}`;
      const remedy = 'Give the management port in --url (8089 by default), not that of Splunk Web.';
      must(status < 300 || status > 399, 'The address redirects, which the management port never does', to, remedy);
      const isSplunkd =
        /^splunkd/i.test(headers.get('server') ?? '') ||
        /<response>\s*<messages>/.test(body) ||
        Array.isArray(answer.value('messages'));
      const isPort = isSplunkd && (status === 401 || status === 200);
      must(isPort, 'What answers is not the management port of a Splunk platform', `status ${status}`);
      return `the management port answers in ${ms} ms (${visit.options.address.protocol.slice(0, -1)})`;
    },
  },
  {
    code: 'login',
    needs: 'reach',
    remedy:
      'Tokens must be enabled on the site and not expired: create one in Settings, Tokens, or log in with --user.',
    async check(visit) {
      const { site } = visit;
      const { logIn } = visit.options;
      site.authorization = 'token' in logIn ? `Bearer ${logIn.token}` : `Splunk ${await sessionKey(visit, logIn)}`;
      const answer = await visit.read('/services/authentication/current-context');
      must(answer.status === 200, 'The platform does not accept the session or the token', answer);
      visit.user = answer.text(...CONTENT, 'username');
      visit.names.set(visit.user, '<user>');
      visit.capabilities = answer.list(...CONTENT, 'capabilities');
      return `logged in ${'token' in logIn ? 'with a token' : 'with user name and password'}`;
    },
  },
  {
    code: 'platform',
    needs: 'login',
    remedy: 'Look at splunkd.log.',
    async check(visit) {
      const answer = await visit.read(INFO);
      must(answer.status === 200, 'The platform does not say what it is', answer);
      const text = (name: string) => answer.text(...CONTENT, name);
      for (const name of ['host', 'host_fqdn', 'host_resolved', 'serverName']) visit.names.set(text(name), '<host>');
      visit.names.set(text('guid'), '<guid>');
      visit.platformVersion = text('version');
      const date = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(date)) visit.clocks.set('the platform', date - answer.at);
      const system = [text('os_name'), text('cpu_arch')].filter(Boolean).join(' ');
      const isMember = answer.list(...CONTENT, 'server_roles').includes('shc_member');
      return `release ${visit.platformVersion} on ${system}${isMember ? ', member of a search head cluster' : ''}`;
    },
  },
];

async function sessionKey(visit: Visit, logIn: { username: string; password: string }): Promise<string> {
  const body = new URLSearchParams({ ...logIn, output_mode: 'json' });
  const answer = await visit.call('POST', '/services/auth/login', { body, isAnonymous: true });
  const remedy = 'Check both. Accounts that log in through a browser alone (SAML) need a token: set ML_TOKEN.';
  const isRefused = answer.status === 401 || answer.status === 400;
  must(!isRefused, 'The platform refused the user name or the password', answer, remedy);
  const key = answer.text('sessionKey');
  if (key === '')
    throw new CheckFailure('The platform did not log in', answer, 'Look at splunkd.log. Is a proxy in between?');
  visit.secrets.add(key);
  return key;
}
