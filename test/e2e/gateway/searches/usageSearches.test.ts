import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readXml, type XmlElement } from '../../../../platform/src/web/pages/xmlReader.ts';
import { testedApp } from '../../../support/e2e/build.ts';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { searched } from '../../agents/agentSupport.ts';
import { chat, completionOf, configure, gatewayPlatform } from '../gatewayPlatform.ts';

const CONFS = '/servicesNS/nobody/ml_extension/configs/conf-ml_prices';

const queriesIn = ({ name, text, children }: XmlElement): string[] =>
  name === 'query' ? [text.trim()] : children.flatMap(queriesIn);
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Fields by which a search groups: events without one of them are dropped. */
const groupsOf = (query: string) => all(query, /\bby ([\w ]+)/g).flatMap((names) => names.trim().split(' '));

/** Fields that a search reads and does not make: arguments of functions, and those it groups by. */
function fieldsOf(query: string): string[] {
  const made = [...all(query, /\bAS (\w+)/g), ...all(query, /\beval (\w+)=/g)];
  const read = [...all(query, /\w\(([a-z_]\w*)/g), ...groupsOf(query)];
  return [...new Set(read)].filter((name) => !made.includes(name));
}

describe('the searches of the usage dashboard', function () {
  this.timeout(120_000);
  const peers = new Peers();
  let platform: TestPlatform;

  before(async () => {
    const url = await peers.serve(async (request, response) => {
      await readBody(request);
      if (request.url?.startsWith('/good')) sendJson(response, 200, completionOf('ok'));
      else sendJson(response, 400, { error: { message: 'no', type: 'invalid_request_error' } });
    });
    platform = await gatewayPlatform();
    const price = { name: 'General_Chat/m', input_per_million: '1', output_per_million: '2' };
    expectStatus(await platform.admin('POST', CONFS, price), 201, 'a price');
    await configure(platform, 'good', `${url}/good`);
    await configure(platform, 'bad', `${url}/bad`);
    expectStatus(await chat(platform, 'anna', 'good/m'), 200, 'a use');
    expectStatus(await chat(platform, 'anna', 'bad/m'), 400, 'a use that fails');
  });
  after(() => platform.dispose());

  const eventsOf = async (query: string) => (await searched(platform, 'admin', `search ${query.split(' | ')[0]}`)).rows;

  it('find the uses, whose events have every field that the searches read', async () => {
    const view = readFileSync(join(testedApp(), 'default/data/ui/views/ml_usage_dashboard.xml'), 'utf8');
    const queries = queriesIn(readXml(view)).map((query) => query.replace('$index|s$', '_internal'));
    await eventually(async () => (await eventsOf(queries[0] as string)).length === 2, 10_000, 'the events');
    const found: number[] = [];
    for (const query of queries) {
      // The platform has few commands of SPL, so the fields are looked for that the rest of the search names.
      const events = await eventsOf(query);
      found.push(events.length);
      const fields = fieldsOf(query);
      expect(fields.length, query).to.be.above(0);
      for (const field of fields) {
        const having = events.filter((event) => event[field] !== undefined && event[field] !== '').length;
        const least = groupsOf(query).includes(field) ? events.length : 1;
        expect(having, `events with ${field}, of ${query}`).to.be.at.least(least);
      }
    }
    expect(found).to.deep.equal([2, 2, 1, 1, 2]);
  });
});
