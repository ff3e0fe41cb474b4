import type { ShippedPackage } from './shipped.ts';

const LINE = '='.repeat(100);

/** Data from a package that does not ship itself. */
interface ShippedData {
  what: string;
  /** Package and version. */
  from: string;
  licence: string;
}

/** THIRD_PARTY_NOTICES: each bundled package, and the source of shipped data, with its licence text. */
export function noticesText(shipped: readonly ShippedPackage[], data: readonly ShippedData[]): string {
  const byText = new Map<string, ShippedPackage[]>();
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
    ...data.map(({ what, from }) => `${what} come from ${from}; the package itself is not part of this app.`),
    '',
    ...texts,
    ...data.map(({ what, from, licence }) => `${LINE}\n${what} (${from})\n${LINE}\n\n${licence}`),
  ].join('\n');
}

const named = ({ declared, id }: ShippedPackage['licence']) => (declared === id ? id : `${id} (of: ${declared})`);
