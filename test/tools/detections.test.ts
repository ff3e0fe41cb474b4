import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readSecurityContent } from '../../tools/detections.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A folder like splunk/security_content; its texts are made up. */
const FILES: Readonly<Record<string, string>> = {
  'detections/endpoint/a.yml':
    "name: A\nsearch: '| tstats `only` count from datamodel=Endpoint.Processes by dest\n  | `drop_dm_object_name(Processes)` | `a_filter`'\n",
  'detections/cloud/b.yml':
    'name: B\nsearch: |-\n  `trail` action=x\n  | lookup accounts user | stats count by user | `security_content_ctime(first)`\n',
  'detections/cloud/c.yml': 'name: C\nsearch: index=web | outputlookup c.csv\n',
  'detections/cloud/d.yml': 'name: D\nsearch: "`from_conf(web)` | lookup elsewhere x"\n',
  'detections/deprecated/e.yml': 'name: E\nsearch: index=web | `missing`\n',
  'detections/cloud/no_search.yml': 'name: F\n',
  'baselines/g.yml': 'name: G\nsearch: index=web | lookup sends host\n',
  'macros/only.yml': 'name: only\ndefinition: summariesonly=false\n',
  'macros/trail.yml': 'name: trail\ndefinition: sourcetype=aws:cloudtrail\n',
  'lookups/accounts.yml': 'name: accounts\ncollection: accounts\n',
  'lookups/sends.yml': 'name: sends\nlookup_type: external\n',
  'default/macros.conf':
    '[from_conf(1)]\nargs = i\ndefinition = index=$i$ \\\n| head 5\n\n[computed]\ndefinition = "x"\niseval = 1\n',
};

describe('npm run guard', () => {
  let folder = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'security-content-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('reads searches, macros and lookups', () => {
    const { detections, view } = readSecurityContent(folder);
    expect(detections.map(({ path, group }) => `${path}: ${group}`)).to.deep.equal([
      'baselines/g.yml: baselines',
      'detections/cloud/b.yml: current detections',
      'detections/cloud/c.yml: current detections',
      'detections/cloud/d.yml: current detections',
      'detections/deprecated/e.yml: deprecated',
      'detections/endpoint/a.yml: current detections',
    ]);
    expect(view.macro('from_conf', 1)).to.deep.equal({
      definition: 'index=$i$ \n| head 5',
      args: ['i'],
      isEval: false,
    });
    expect(view.macro('computed', 0)).to.deep.equal({ definition: '"x"', args: [], isEval: true });
    expect(view.macro('missing', 0)).to.equal(null);
    expect([view.lookup('accounts'), view.lookup('sends')]).to.deep.equal(['kvstore', 'external']);
  });

  it('prints what the guard allows and why it refuses the others', () => {
    const node = [join(ROOT, 'tools/onRuntime.mjs'), join(ROOT, 'tools/guard.ts')];
    const output = execFileSync(process.execPath, [...node, folder, '--files'], { encoding: 'utf8' });
    const lines = output.split('\n');
    expect(lines).to.include('current detections: 4 searches, 3 allowed (75.0 %)');
    expect(lines).to.include('  refused, command outputlookup: 1');
    expect(lines).to.include('deprecated: 1 searches, 0 allowed (0.0 %)');
    expect(lines).to.include('  refused, macro_unknown: 1');
    expect(lines).to.include('  refused, lookup_external lookup: 1');
    expect(lines).to.include('Lookups that the folder does not define, taken for files: elsewhere');
    expect(output).to.include('detections/cloud/c.yml, offset 12: Command outputlookup is not allowed');
  });
});
