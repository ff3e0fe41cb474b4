import { expect } from 'chai';
import {
  assertPlainUrl,
  displayUrl,
  hostBinding,
  plainUrlProblem,
  staysBound,
  UrlProblem,
} from '../../../src/domain/net/url.ts';

describe('plain URLs', () => {
  it('accepts URLs that every parser reads alike', () => {
    for (const url of ['http://a', 'https://a.example:8443/mcp?x=1#y', 'http://[::1]:80/', 'HTTPS://A.example/']) {
      expect(plainUrlProblem(url), url).to.equal(undefined);
    }
  });

  it('refuses all others without quoting them', () => {
    const unplain = [
      '',
      'a.example',
      'ftp://a.example',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http:a.example',
      'http:/a.example',
      'http:///a.example',
      'http://',
      'http://user:secret@a.example',
      'http://@a.example',
      'http://a.example\\@b.example',
      'http:\\\\a.example',
      ' http://a.example',
      'http://a.example/ x',
      'http://a.exa\tmple',
      'http://a.example/\n',
      'http://a.example/\u0000',
      'http://a.example/\u00a0',
      'http://a.example:99999',
      'http://[::1',
    ];
    for (const url of unplain) {
      expect(() => assertPlainUrl(url), url).to.throw(UrlProblem);
      expect(plainUrlProblem(url)).not.to.contain('secret');
    }
  });
});

describe('host bindings', () => {
  const bound = (stored: string, next: string): boolean => staysBound(hostBinding(stored), hostBinding(next));

  it('are host name in lower case and effective port', () => {
    expect(hostBinding('HTTPS://A.Example.:443/x')).to.deep.equal({ host: 'a.example', port: 443, secure: true });
    expect(hostBinding('http://[::1]/')).to.deep.equal({ host: '::1', port: 80, secure: false });
  });

  it('ignore the path and the way the port is written', () => {
    expect(bound('https://a.example/x', 'https://A.EXAMPLE:443/y?z')).to.equal(true);
    expect(bound('http://2130706433/', 'http://127.0.0.1/')).to.equal(true);
  });

  it('let http become https and never the other way round', () => {
    expect(bound('http://a.example', 'https://a.example')).to.equal(true);
    expect(bound('http://a.example:8000', 'https://a.example:8000')).to.equal(true);
    expect(bound('https://a.example', 'http://a.example')).to.equal(false);
    expect(bound('https://a.example:8000', 'http://a.example:8000')).to.equal(false);
  });

  it('break with another host or port', () => {
    expect(bound('https://a.example', 'https://b.example')).to.equal(false);
    expect(bound('https://a.example', 'https://a.example:8443')).to.equal(false);
    expect(bound('http://a.example:8000', 'https://a.example')).to.equal(false);
    expect(bound('https://a.example', 'https://a.example.evil.example')).to.equal(false);
  });
});

describe('displayUrl', () => {
  it('shows neither user info nor query', () => {
    expect(displayUrl('https://u:p@a.example:1/mcp?key=secret#x')).to.equal('https://a.example:1/mcp');
    expect(displayUrl('nonsense')).to.equal('');
  });
});
