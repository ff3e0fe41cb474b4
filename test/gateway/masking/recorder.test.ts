import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { gatewayApp } from '../gatewayApp.ts';
import { type PlantedValue, plantedValues } from './planted.ts';
import { ANSWERS, type Recorded, recorder, type Service } from './services.ts';
import { eventsOf, type PlantedTexts, SHAPES } from './shapes.ts';

/** Begins each line in which a value stands. */
const MARK = 'REPORT ';
const MARKED_FILE = /UkVQT1JU[A-Za-z0-9+/=]*/g;
const VALUES = 5000;
const IN_ONE = 25;
const SERVICES = Object.keys(ANSWERS) as Service[];
const WITH_FILES: readonly Service[] = [
  ...(['General_Chat', 'Enterprise_Cloud_Chat', 'Assistant_Family'] as const),
  ...(['Cloud_Model_Hub', 'Search_Vendor_Models'] as const),
];
/** Places whose texts a model reads, and those that it never gets. */
const READ = ['system', 'document', 'args', 'result', 'question'] as const;
const PLACES: readonly (keyof PlantedTexts)[] = [...READ, 'thought', 'hint'];

const SCHEMA = {
  type: 'object',
  properties: { about: { type: 'string', pattern: '^REPORT ', minLength: 10 } },
  required: ['about'],
  additionalProperties: false,
};

/** The texts of a body that begin with the mark, wherever the dialect puts them. */
function markedTexts(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(markedTexts);
  if (typeof value !== 'string') return [];
  if (value.startsWith('{')) return markedTexts(JSON.parse(value));
  return value.startsWith(MARK) ? [value] : filesIn(value);
}

const filesIn = (text: string): string[] =>
  [...text.matchAll(MARKED_FILE)].map(([data]) => Buffer.from(data, 'base64').toString('utf8'));

/** Whether a text has a value in a spelling that somebody could read. */
function holds(body: string, { plain }: PlantedValue): boolean {
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  const forms = [plain, inner(plain), inner(inner(plain)), inner(inner(inner(plain))), encodeURIComponent(plain)];
  const text = body.toLowerCase();
  return forms.some((form) => text.includes(form.toLowerCase()));
}

/** The values spread over the places of a request. */
function spread(values: readonly PlantedValue[]): Record<keyof PlantedTexts, PlantedValue[]> {
  const inPlace = (place: number) => values.filter((_, index) => index % PLACES.length === place);
  return Object.fromEntries(PLACES.map((place, index) => [place, inPlace(index)])) as ReturnType<typeof spread>;
}

const textOf = (values: readonly PlantedValue[]): string => values.map(({ text }) => `${MARK}${text}`).join('\n');

describe('masking: what leaves for a provider', () => {
  let app: MemoryApp;

  beforeEach(async () => {
    app = await gatewayApp();
    app.user('masker', { capabilities: ['edit_masking'] });
    const kinds = Object.fromEntries(
      [
        ...['ipv4', 'ipv6', 'mac', 'email', 'url_secret', 'host', 'win_user', 'sid', 'user', 'phone', 'card', 'iban'],
        ...['us_ssn', 'jwt', 'key', 'pem', 'password'],
      ].map((kind) => [kind, 'mask']),
    );
    const policy = { name: 'all', kinds };
    const saved = await app.call('masker', 'POST', '/masking_policies', policy);
    expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
  });

  /** A model that says what it was asked, as a text, as the arguments of a call and as JSON, and thinks of it. */
  const echo = (service: Service, way: () => number): Promise<Recorded> =>
    recorder(app, service, (_, body) => {
      const about = markedTexts(JSON.parse(body)).join('\n');
      if (way() === 0) return { text: about, thought: about };
      return way() === 1 ? { text: '', args: { about } } : { text: JSON.stringify({ about }), thought: about };
    });

  const ask = (path: string, body: Json) => app.call('asker', 'POST', `/ai_gateway/v1/${path}`, body);

  for (const [name, shape] of Object.entries(SHAPES)) {
    for (const service of SERVICES) {
      it(`${name}, ${service}: no planted value leaves, and each comes back`, async function () {
        this.timeout(120_000);
        let count = 0;
        const { reference: model, bodies } = await echo(service, () => count % 3);
        const values = plantedValues(service, VALUES / SERVICES.length);
        for (; count * IN_ONE < values.length; count++) {
          const planted = values.slice(count * IN_ONE, (count + 1) * IN_ONE);
          const places = spread(planted);
          const texts = Object.fromEntries(PLACES.map((place) => [place, textOf(places[place])]));
          const way = count % 3;
          const options = { isFile: WITH_FILES.includes(service), isStructured: way === 2, schema: SCHEMA };
          const asked = shape.request(texts as unknown as PlantedTexts, options);
          const isStream = count % 2 === 1;
          const { status, json } = await ask(shape.path, { model, ...asked, stream: isStream });
          expect(status, JSON.stringify(json)).to.equal(200);
          for (const body of bodies) {
            const readable = [body, ...filesIn(body)].join('\n');
            const leaked = planted.filter((value) => holds(readable, value));
            expect(leaked, readable).to.deep.equal([]);
            expect(body).to.not.match(/"(?:user|user_id|metadata|safety_identifier|prompt_cache_key)":/);
          }
          const said = isStream ? shape.readEvents(eventsOf(String(json))) : shape.read(json);
          const back = [() => said.text, () => JSON.parse(said.args).about, () => JSON.parse(said.text).about];
          // Arguments get the plain value, which the spelling of a text may differ from.
          for (const { text, plain } of READ.flatMap((place) => places[place])) {
            expect(back[way]?.(), text).to.include(way === 1 ? plain : text);
            if (way !== 1) expect(said.thought, text).to.include(text);
          }
          expect(said.ml.masked, JSON.stringify(said.ml)).to.be.an('object');
          bodies.length = 0;
        }
      });
    }
  }
});
