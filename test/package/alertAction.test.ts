import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readXml, type XmlElement } from '../../platform/src/web/pages/xmlReader.ts';
import { ALERT_ACTION, ALERT_PARAM_DEFAULTS } from '../../src/contract/families/alerts.ts';
import { testedApp } from '../support/e2e/build.ts';

const PARAMS = Object.keys(ALERT_PARAM_DEFAULTS);

/** Values that Enterprise Security knows, of `task` and `category`; those of `subject` are advisory. */
const TASKS = ['block', 'allow', 'create', 'update', 'delete', 'scan'];
const CATEGORIES = [
  ...['Information Conveyance', 'Information Gathering', 'Information Tracking'],
  ...['Permissions Control', 'Device Control'],
];
const REQUIRED = ['category', 'task', 'subject', 'technology'];
const OPTIONAL = [
  ...['drilldown_uri', 'field_name_params', 'required_params'],
  ...['supports_adhoc', 'supports_cloud', 'supports_workers'],
];

/** Settings of the only stanza of a conf file, by key. */
function settings(text: string): { stanza: string; values: Record<string, string> } {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [head = '', ...rest] = lines;
  const pairs = rest.map((line) => {
    const [, key = '', value = ''] = /^([\w.]+) =(?: (.*))?$/.exec(line) ?? expect.fail(`no setting: ${line}`);
    return [key, value] as const;
  });
  expect(new Set(pairs.map(([key]) => key)).size).to.equal(pairs.length);
  return { stanza: /^\[(.*)\]$/.exec(head)?.[1] ?? '', values: Object.fromEntries(pairs) };
}

/** Names of settings in a spec file, each followed by a description and its default. */
function specified(text: string): string[] {
  const blocks = text
    .split('\n\n')
    .filter((block) => / = /.test(block.split('\n').find((line) => !/^[[#]/.test(line)) ?? ''));
  return blocks.map((block) => {
    const [first = '', ...bullets] = block.split('\n').filter((line) => line !== '' && !/^[[#]/.test(line));
    expect(bullets.length, first).to.be.at.least(2);
    for (const bullet of bullets) expect(bullet).to.match(/^\* \S/);
    return first.split(' = ')[0] ?? '';
  });
}

const elementsOf = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(elementsOf)];

describe('alert action in the package', () => {
  const file = (path: string) => readFileSync(join(testedApp(), path), 'utf8');
  let conf: ReturnType<typeof settings>;
  before(() => {
    conf = settings(file('default/alert_actions.conf'));
  });

  it('is offered with its defaults, its icon and a program that splunkd finds without alert.execute.cmd', () => {
    expect(conf.stanza)
      .to.equal(ALERT_ACTION)
      .and.to.match(/^[\w-]+$/);
    const { values } = conf;
    expect(values).to.include({ is_custom: '1', payload_format: 'json', label: 'Run an ML agent' });
    expect(values.description).to.not.equal('');
    expect(values).to.not.have.any.keys('command', 'alert.execute.cmd', 'disabled');
    const params = Object.entries(values).filter(([key]) => key.startsWith('param.') && key !== 'param._cam');
    expect(Object.fromEntries(params.map(([key, value]) => [key.slice(6), value]))).to.deep.equal(ALERT_PARAM_DEFAULTS);
    const launcher = join(testedApp(), `bin/${ALERT_ACTION}.sh`);
    expect(statSync(launcher).mode & 0o111).to.equal(0o111);
    expect(file(`bin/${ALERT_ACTION}.sh`)).to.match(/^#!\/bin\/sh\n/);
    expect(existsSync(join(testedApp(), 'bin/lib/alert.mjs'))).to.equal(true);
    const icon = readFileSync(join(testedApp(), 'appserver/static', values.icon_path ?? ''));
    expect(icon.subarray(1, 4).toString()).to.equal('PNG');
  });

  it('is an adaptive response, with the keys and forms that Enterprise Security reads', () => {
    const cam = JSON.parse(conf.values['param._cam'] ?? '') as Record<string, unknown>;
    expect(cam).to.have.all.keys(...REQUIRED, ...OPTIONAL);
    expect(cam.category).to.be.an('array').that.is.not.empty;
    expect(CATEGORIES).to.include.members(cam.category as string[]);
    expect(TASKS).to.include.members(cam.task as string[]);
    expect(cam.subject).to.deep.equal(['splunk.event']);
    for (const entry of cam.technology as object[]) expect(entry).to.have.all.keys('vendor', 'product');
    expect([cam.supports_adhoc, cam.supports_cloud, cam.supports_workers]).to.deep.equal([true, true, false]);
    expect(PARAMS).to.include.members([...(cam.field_name_params as string[]), ...(cam.required_params as string[])]);
    expect(decodeURIComponent(String(cam.drilldown_uri))).to.include('orig_sid="$sid$" orig_rid="$rid$"');
  });

  it('has both spec files, with every parameter', () => {
    const names = PARAMS.map((name) => `param.${name}`);
    const spec = file('README/alert_actions.conf.spec');
    expect(spec).to.include(`[${ALERT_ACTION}]\n`);
    expect(specified(spec)).to.deep.equal([...names, 'param._cam']);
    expect(specified(file('README/savedsearches.conf.spec'))).to.deep.equal([
      `action.${ALERT_ACTION}`,
      ...names.map((name) => `action.${ALERT_ACTION}.${name}`),
    ]);
  });

  it('has a form with a field for every parameter, without script', () => {
    const html = file(`default/data/ui/alerts/${ALERT_ACTION}.html`);
    const elements = elementsOf(readXml(html));
    const fields = elements.filter(({ attributes }) => attributes.name !== undefined);
    expect(fields.map(({ attributes }) => attributes.name)).to.deep.equal(
      PARAMS.map((name) => `action.${ALERT_ACTION}.param.${name}`),
    );
    expect(elements.map(({ name }) => name)).to.not.include('script');
    const groups = elements.filter(({ name }) => name === 'splunk-control-group');
    expect(groups).to.have.length(PARAMS.length);
    for (const { attributes } of groups) expect([attributes.label, attributes.help]).to.not.include('');
    const agents = elements.find(({ name }) => name === 'splunk-search-dropdown')?.attributes;
    expect(agents?.search).to.match(/^\| mllist kind=agents/);
    const values = (param: string) =>
      elements
        .find(({ attributes }) => attributes.name === `action.${ALERT_ACTION}.param.${param}`)
        ?.children.map(({ attributes }) => attributes.value);
    expect([values('per'), values('on_approval')]).to.deep.equal([
      ['alert', 'row'],
      ['wait', 'reject'],
    ]);
  });

  it('is exported to all apps, with its form', () => {
    for (const what of ['alert_actions', 'alerts'])
      expect(file('metadata/default.meta')).to.include(
        `[${what}/${ALERT_ACTION}]\naccess = read : [ * ], write : [ admin, sc_admin ]\nexport = system\n`,
      );
  });
});
