import { join } from 'node:path';
import { table } from '../../../src/table.ts';
import { root, sources } from '../sources.ts';
import { attack } from './attacks.ts';
import { type Pattern, patternsOfSources, patternsOfTable, slowness } from './patterns.ts';

/** Made of what is only known at run time, and why that does no harm. */
const MADE_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'platform/src/apps/webExposure.ts': 'patterns of web.conf, which only an administrator writes',
  'platform/src/drivers/restmap.ts': '`match` of restmap.conf, which only an administrator writes',
  'platform/src/search/language/regex.ts': 'expressions of searches, each of which is ended after 200 ms',
  'src/masking/placeholders/words.ts': 'labels of policies, which are letters and digits, with bounded repetitions',
  'src/masking/recognisers/fields.ts': 'names of fields, which are escaped, with bounded repetitions',
  'src/gateway/runs/steps/toolParameters.ts': 'it is only compiled, and matched with nothing',
};

export interface Report {
  problems: string[];
  /** How many different ones. */
  patterns: number;
  /** Text fields of requests that are matched by one. */
  fields: number;
}

/** Every regular expression of src/ and platform/src/ that some text makes slow, and every text field whose pattern has no length before it. */
export function problemsOfAll(): Report {
  const paths = ['src', 'platform/src'].flatMap((folder) => sources(folder).map((path) => join(folder, path)));
  const { patterns, unknown } = patternsOfSources(root, paths);
  const fields = patternsOfTable(table);
  const different = new Map(
    [...patterns, ...fields].map((pattern) => [`${pattern.source}\n${pattern.flags}`, pattern]),
  );
  return {
    problems: [
      ...[...different.values()].flatMap(problemsOf),
      ...fields
        .filter(({ isText, maxLength }) => isText && maxLength === undefined)
        .map(({ where, source }) => `${where}: maxLength must stand before the pattern ${source}`),
      ...unknown
        .filter((where) => !(where.replace(/:\d+$/, '') in MADE_AT_RUN_TIME))
        .map((where) => `${where}: nobody can tell how a pattern made at run time behaves`),
    ],
    patterns: different.size,
    fields: fields.length,
  };
}

/** Why a pattern is slow, by analysis and by trial. */
export function problemsOf(pattern: Pattern): string[] {
  const reason = slowness(pattern) ?? attack(pattern);
  return reason === undefined ? [] : [`${pattern.where}: /${pattern.source}/${pattern.flags}: ${reason}`];
}
