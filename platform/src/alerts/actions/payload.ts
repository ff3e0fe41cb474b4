import { xmlText } from '../../eai/xml.ts';
import type { Cell, Row } from '../../search/results/rows.ts';

/** The payload of an alert action; its keys in splunkd's order. */
export interface Payload {
  app: string;
  owner: string;
  results_file: string;
  results_link: string;
  /** Only where the action runs once for each row: the number of the row, from 0. */
  result_id?: string;
  search_uri: string;
  server_host: string;
  server_uri: string;
  session_key: string;
  sid: string;
  search_name: string;
  configuration: Record<string, string>;
  result: Record<string, Cell>;
}

/** All columns of a row, empty where it has no value. */
export function resultOf(columns: readonly string[], row: Row | undefined): Record<string, Cell> {
  if (row === undefined) return {};
  return Object.fromEntries(columns.map((name) => [name, row[name] ?? '']));
}

/** The text for stdin. @param action the name of its stanza */
export function payloadText(format: 'json' | 'xml', action: string, payload: Payload): string {
  return format === 'json' ? `${JSON.stringify(payload)}\n` : payloadXml(action, payload);
}

function payloadXml(action: string, { configuration, result, ...texts }: Payload): string {
  const elements = Object.entries(texts).map(([name, text]) => `<${name}>${xmlText(text)}</${name}>\n`);
  const params = Object.entries(configuration).map(
    ([name, text]) => `<param name="${xmlText(name)}">${xmlText(text)}</param>\n`,
  );
  const fields = Object.entries(result).map(([name, cell]) => {
    const values = [cell].flat().map((value) => `<value><text>${xmlText(value)}</text></value>`);
    const inner =
      name === '_raw' ? `<v xml:space="preserve">${xmlText([cell].flat().join('\n'))}</v>` : values.join('');
    return `<field k="${xmlText(name)}">${inner}</field>\n`;
  });
  const stanza = `<configuration>\n<stanza name="${xmlText(action)}">\n${params.join('')}</stanza>\n</configuration>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<alert>\n${elements.join('')}<result>\n${fields.join('')}</result>\n${stanza}</alert>\n`;
}
