import type { PredictedRow, PredictionValue } from '../../../domain/predictions/prediction.ts';
import { numberOf } from '../../../domain/predictions/values.ts';
import { featuresOf } from './columns.ts';
import { objectIn } from './json.ts';
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
      const values = await readCsv(results, rows.length);
      if (!values) throw application.unusable('results that are no CSV');
      return { kind: 'answered', values };
    },
  };
}

const writeCsv = (rows: readonly SentRow[]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(String(cell))).join(',')}\n`).join('');

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * The rows of a table, not many more than there should be: a long text would fill the memory.
 * @returns undefined if the text is no table
 */
async function readCsv(text: string, count: number): Promise<PredictedRow[] | undefined> {
  const { parse } = await import('csv-parse/sync');
  try {
    const [names = [], ...rows] = parse(text, { bom: true, to: count + 2 }) as string[][];
    return rows.map((cells) =>
      Object.fromEntries(cells.map((cell, index) => [names[index] as string, cellValue(cell)])),
    );
  } catch {
    return undefined;
  }
}

/** What pandas writes for no value, and for numbers that are infinite. */
const NONE = /^(|nan|[+-]?inf)$/i;

/** Text that is not written as numbers are, such as `007`, and integers beyond 2^53 stay text. */
function cellValue(cell: string): PredictionValue {
  if (NONE.test(cell)) return null;
  const number = /^[+-]?0\d/.test(cell) ? undefined : numberOf(cell);
  const isRounded = /^-?\d+$/.test(cell) && !Number.isSafeInteger(number);
  return number === undefined || isRounded ? cell : number;
}
