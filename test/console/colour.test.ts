import { createRequire } from 'node:module';
import { expect } from 'chai';

interface Parsed {
  coords: readonly (number | null)[];
  alpha: number | null;
}
interface Colours {
  new (
    space: string,
    coords: readonly (number | null)[],
    alpha?: number,
  ): {
    toString(options: { format: string }): string;
  };
  try(text: string): (Parsed & { to(space: string): Parsed }) | null;
}

const require = createRequire(import.meta.url);
const { getTheme } = require('@splunk/themes') as { getTheme(options: object): Readonly<Record<string, unknown>> };
const COLOUR = /^(#|rgb|transparent$)/;

/** Red, green and blue as bytes, and the alpha in percent. */
const numbersOf = (parsed: ReturnType<Colours['try']>) => {
  if (!parsed) return undefined;
  const { coords, alpha } = parsed.to('srgb');
  return [...coords.map((part) => Math.round((part ?? 0) * 255)), Math.round((alpha ?? 0) * 100)];
};

describe('the console: colours of themes are read and written as colorjs.io does', () => {
  const theirs = (require('colorjs.io') as { default: Colours }).default;
  let ours: Colours;

  before(async () => {
    ({ default: ours } = await import(new URL('../../console/app/colour.ts', import.meta.url).href));
  });

  for (const family of ['enterprise', 'prisma'])
    for (const colorScheme of ['light', 'dark'])
      it(`all of ${family}, ${colorScheme}`, () => {
        const all = Object.values(getTheme({ family, colorScheme, density: 'comfortable' }));
        const texts = all.filter((value): value is string => typeof value === 'string' && COLOUR.test(value));
        expect(texts.length).to.be.above(100);
        for (const text of texts) expect(numbersOf(ours.try(text)), text).to.deep.equal(numbersOf(theirs.try(text)));
        const withAlpha = (Colours: Colours, text: string, alpha: number) =>
          new Colours('srgb', Colours.try(text)?.to('srgb').coords ?? [], alpha).toString({
            format: alpha === 1 ? 'rgb_number' : 'rgba_number',
          });
        for (const text of texts)
          for (const alpha of [1, 0.3, 0])
            expect(withAlpha(ours, text, alpha), text).to.equal(withAlpha(theirs, text, alpha));
      });
});
