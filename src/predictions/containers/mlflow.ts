import { isObject, type Json } from '../../contract/basics.ts';
import type { PredictedRow } from '../rows/prediction.ts';
import { bodyOf, fieldValue } from './answers.ts';
import { featuresOf } from './columns.ts';
import type { Application, Column, ContainerProtocol, RowModel } from './protocol.ts';
import { shapeProblem, statusProblem } from './status.ts';

const VERSION = /^\s*\d{1,5}\.\d{1,5}\.\d{1,5}[\w.+-]{0,40}\s*$/;

/** The scoring server of MLflow. */
export const mlflow: ContainerProtocol = {
  async probe(read) {
    const problem = shapeProblem(await read('/version'), (text) => VERSION.test(text));
    // It has an error here until the model is loaded.
    return problem || statusProblem(await read('/ping'));
  },
  rows: async (application, _, columns) => modelOf(application, columns),
};

/** The model's signature is not to be had: it is sent all fields, by their names. */
function modelOf(application: Application, columns: readonly Column[]): RowModel {
  const names = columns.map(({ name }) => name);
  return {
    features: featuresOf(columns),
    async predict(rows) {
      const answer = await application.post('/invocations', { dataframe_split: { columns: names, data: rows } });
      if (answer.status !== 200) return application.refused(answer);
      const body = bodyOf(answer.text);
      // Servers before MLflow 2 answer the list alone.
      const { predictions } = isObject(body) ? body : { predictions: body };
      if (Array.isArray(predictions) && predictions.length !== rows.length)
        throw application.unusable(`${predictions.length} predictions for ${rows.length} rows`);
      const values = predictedRows(predictions, rows.length);
      if (!values) throw application.unusable('no list of predictions for each row');
      return { kind: 'answered', values };
    },
  };
}

/** Values, the rows of a data frame, or a list for each output with a value for each row. */
function predictedRows(predictions: unknown, count: number): PredictedRow[] | undefined {
  if (Array.isArray(predictions)) return predictions.map(predictedRow);
  if (!isObject(predictions)) return undefined;
  const columns = Object.entries(predictions);
  const isComplete = columns.every(([, values]) => Array.isArray(values) && values.length === count);
  if (columns.length === 0 || !isComplete) return undefined;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, fieldValue((values as unknown[])[row])])),
  );
}

const predictedRow = (value: unknown): PredictedRow =>
  isObject(value) ? fieldsOf(value) : { prediction: fieldValue(value) };

const fieldsOf = (row: Json): PredictedRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fieldValue(value)]));
