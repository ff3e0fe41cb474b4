import { csvLine } from '../../domain/values/csv.ts';
import { csvLines, csvValue, hasIndex } from '../rows/csvLines.ts';
import type { PredictedRow } from '../rows/prediction.ts';
import { objectIn } from './answers.ts';
import { featuresOf } from './columns.ts';
import type { Application, Column, ContainerProtocol, RowModel, SentRow } from './protocol.ts';
import { shapeProblem } from './status.ts';

/** The application of the data-science images. */
export const dsdl: ContainerProtocol = {
  probe: async (read, applications) =>
    shapeProblem(await read(''), (text) => {
      const app = bannerApp(text)?.toLowerCase();
      return app !== undefined && applications.some((name) => app.includes(name.toLowerCase()));
    }),
  rows: async (application, model, columns) => modelOf(application, model, columns),
};

export function bannerApp(text: string): string | undefined {
  const { app } = objectIn(innerText(text));
  return typeof app === 'string' ? app : undefined;
}

/** The server serialises some answers twice, so they may be a JSON string that holds JSON. */
function innerText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

/** The notebook, and what was saved with it, are named like the container. */
function modelOf(application: Application, model: string, columns: readonly Column[]): RowModel {
  const names = columns.map(({ name }) => name);
  const meta = {
    options: { params: { algo: model }, model_name: model, feature_variables: names },
    feature_variables: names,
  };
  return {
    features: featuresOf(columns),
    async predict(rows) {
      const answer = await application.post('/apply', { data: writeCsv([names, ...rows]), meta });
      if (answer.status !== 200) return application.refused(answer);
      const { status, message, results } = objectIn(innerText(answer.text));
      // A model that fails is 200 too.
      if (status === 'error') return application.blamed(typeof message === 'string' ? message : 'no reason');
      if (status !== 'success' || typeof results !== 'string') throw application.unusable('no results');
      const values = readCsv(results, rows.length);
      if (!values) throw application.unusable('results that are no CSV');
      return { kind: 'answered', values };
    },
  };
}

const writeCsv = (rows: readonly SentRow[]): string => rows.map((cells) => `${csvLine(cells.map(String))}\n`).join('');

/** The rows of a table under a line of names; undefined if the text is none. A nameless first column is an index. */
function readCsv(text: string, count: number): PredictedRow[] | undefined {
  const lines = csvLines(text, { most: count + 2, filled: count + 1 });
  if (!lines) return undefined;
  const [names = [], ...rows] = lines;
  if (rows.some(({ length }) => length !== names.length)) return undefined;
  const from = hasIndex(names) ? 1 : 0;
  return rows.map((cells) =>
    Object.fromEntries(cells.slice(from).map((cell, index) => [names[index + from] as string, csvValue(cell)])),
  );
}
