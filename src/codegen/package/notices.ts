import type { Shipped } from './shipped.ts';

const LINE = '='.repeat(100);

/** THIRD_PARTY_NOTICES: each bundled package with its licence text. */
export function noticesText(shipped: readonly Shipped[]): string {
  const byText = new Map<string, Shipped[]>();
  for (const each of shipped) byText.set(each.licence.text, [...(byText.get(each.licence.text) ?? []), each]);
  const list = shipped.map(({ name, version, licence }) => `${name} ${version}: ${named(licence)}`);
  const texts = [...byText].map(
    ([text, of]) => `${LINE}\n${of.map(({ name, version }) => `${name} ${version}`).join('\n')}\n${LINE}\n\n${text}\n`,
  );
  return [
    'Machine Learning Extension contains parts of the packages that are listed here, each under its own licence. The texts',
    'follow below; a text that several packages have word for word stands once, under the names of all of them.\n',
    ...list,
    '',
    ...texts,
  ].join('\n');
}

const named = ({ declared, id }: Shipped['licence']) => (declared === id ? id : `${id} (of: ${declared})`);
