import { expect } from 'chai';
import type { HostedApp } from '../../src/apps/hostedApp.ts';
import { checkWebExposure } from '../../src/apps/webExposure.ts';
import { parseConf } from '../../src/confs/conf.ts';
import { findEndpoint, loadScriptEndpoints } from '../../src/drivers/restmap.ts';

function app(name: string, files: Record<string, string>): HostedApp {
  return {
    name,
    dir: `/home/etc/apps/${name}`,
    conf: (file) => parseConf(files[file] ?? ''),
    access: () => ({ read: [], write: [] }),
    isExported: () => false,
    owner: () => undefined,
  };
}

const env = { SPLUNK_HOME: '/home', EXTRA: 'x' };
const load = (restmap: string) => loadScriptEndpoints([app('one', { restmap })], env);
const only = (settings: string) => {
  const [endpoint] = load(`[script:s]\nscripttype = persist\nmatch = /s\n${settings}`);
  if (!endpoint) throw new Error('no endpoint');
  return endpoint;
};

describe('restmap', () => {
  it('reads only persistent script stanzas', () => {
    const names = load(
      [
        '[global]',
        'allowGetAuth = false',
        '[script:a]',
        'match = /a',
        'scripttype = persist',
        '[script:legacy]',
        'match = /b',
        '[admin:x]',
        'match = /',
        'members = m',
        '[script:off]',
        'match = /c',
        'scripttype = persist',
        'disabled = 1',
      ].join('\n'),
    ).map((endpoint) => endpoint.stanza);
    expect(names).to.deep.equal(['script:a']);
  });

  it('has the documented defaults', () => {
    const endpoint = only('');
    expect(endpoint).to.deep.include({
      app: 'one',
      stanza: 'script:s',
      match: '/s',
      conf: { scripttype: 'persist', match: '/s' },
      driver: undefined,
      command: [],
      commandArg: '',
      requireAuthentication: true,
      passPayload: 'none',
      passSession: true,
      passConf: true,
      passHttpHeaders: false,
      passHttpCookies: false,
      passSystemAuth: false,
      maxConcurrent: undefined,
    });
    expect(endpoint.capability('GET')).to.equal(undefined);
  });

  it('resolves driver and script, arguments in numeric order, environment substituted', () => {
    const endpoint = only(
      [
        'driver = run_node.sh',
        'driver.arg.10 = ten',
        'driver.arg.9 = $EXTRA',
        'driver.env.A = $SPLUNK_HOME/a',
        'script = sub/rest.mjs',
        'script.arg.2 = two',
        'script.arg.1 = one',
        'script.param = $EXTRA y',
        'passPayload = base64',
        'maxConcurrent = 3',
      ].join('\n'),
    );
    expect(endpoint.driver).to.deep.equal({
      path: '/home/etc/apps/one/bin/run_node.sh',
      args: ['x', 'ten'],
      env: { A: '/home/a' },
    });
    expect(endpoint.command).to.deep.equal(['/home/etc/apps/one/bin/sub/rest.mjs', 'one', 'two']);
    expect(endpoint.commandArg).to.equal('x y');
    expect(endpoint.passPayload).to.equal('base64');
    expect(endpoint.maxConcurrent).to.equal(3);
    expect(endpoint.conf.driver).to.equal('run_node.sh');
    expect(only('driver = $SPLUNK_HOME/etc/apps/one/bin/d').driver?.path).to.equal('/home/etc/apps/one/bin/d');
    expect(only('script.arg.1 = x').command).to.deep.equal(['', 'x']);
  });

  it('prefers the rule of a method to the general one', () => {
    const endpoint = only('capability = general\ncapability.get = read or admin\ncapability.post =');
    expect(endpoint.capability('GET')?.text).to.equal('read or admin');
    expect(endpoint.capability('HEAD')?.text).to.equal('read or admin');
    expect(endpoint.capability('POST')?.text).to.equal('general');
    expect(endpoint.capability('PATCH')?.text).to.equal('general');
  });

  it('names the app and stanza of an invalid setting', () => {
    const bad: [string, string][] = [
      ['capability.get = a or', 'bad capability expression "a or"'],
      ['match = s', 'match = s does not begin with a slash'],
      ['match = /(', 'match = /( is not a regular expression'],
      ['passSession = perhaps', 'passSession = perhaps is neither true nor false'],
      ['driver = d\ndriver.arg.x = 1', 'driver.arg.x: what follows driver.arg. is not a number'],
      ['maxConcurrent = -1', 'maxConcurrent = -1 is not a whole number'],
    ];
    for (const [settings, message] of bad) {
      expect(() => only(settings), settings).to.throw(`app one, restmap.conf [script:s]: ${message}`);
    }
  });

  it('finds the match that covers most of the beginning of a path', () => {
    const endpoints = load(
      ['/ml', '/ml/deep', '/mlx/', '/files/(a|b)/?$']
        .map((match, index) => `[script:${index}]\nscripttype = persist\nmatch = ${match}\n`)
        .join('\n'),
    );
    const found = (path: string) => findEndpoint(endpoints, path)?.match;
    expect(found('/ml')).to.equal('/ml');
    expect(found('/ml/')).to.equal('/ml');
    expect(found('/ml/x')).to.equal('/ml');
    expect(found('/ml/deep')).to.equal('/ml/deep');
    expect(found('/ml/deeper')).to.equal('/ml/deep');
    expect(found('/mlx/y')).to.equal('/mlx');
    expect(found('/mly')).to.equal('/ml');
    expect(found('/x/ml')).to.equal(undefined);
    expect(found('/files/a/')).to.equal('/files/(a|b)/?$');
    expect(found('/files/a/x')).to.equal(undefined);
    expect(found('/')).to.equal(undefined);
  });
});

describe('web exposure', () => {
  const restmap = '[script:ml]\nmatch = /ml\nscripttype = persist\n[admin:x]\nmatch = /\nmembers = set_a, set_b\n';
  const check = (web: string) => () => checkWebExposure([app('one', { web }), app('two', { restmap })]);

  it('accepts patterns that match an endpoint of any app', () => {
    for (const pattern of ['ml', 'ml/*', 'ml/**', '/ml/', 'm?', '[lm]l', 'set_a', 'set_b/*', 'data/inputs/x', '*']) {
      expect(check(`[expose:e]\npattern = ${pattern}\nmethods = GET\n[endpoint:x]\n`), pattern).to.not.throw();
    }
  });

  it('refuses others with app, stanza and pattern', () => {
    for (const pattern of ['mlx', 'mlx/**', 'set_c', 'm.', '[!m]l', 'ml/a']) {
      expect(check(`[expose:e]\npattern = ${pattern}\n`), pattern).to.throw(
        `app one, web.conf [expose:e]: pattern = ${pattern} matches no restmap.conf match of any app`,
      );
    }
    expect(check('[expose:e]\nmethods = GET\n')).to.throw('app one, web.conf [expose:e]: there is no pattern');
  });
});
