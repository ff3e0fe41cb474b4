import { boolean, NOT_EMPTY, required, text } from '../../argumentTypes.ts';
import { command } from '../../command.ts';
import { DEFAULT_TIMEOUT_S, rowOptions } from '../gatewayOptions.ts';
import { ERROR, ERROR_MESSAGE, PredictRun } from './predictRun.ts';

const PREFIX = {
  pattern: /^[A-Za-z]\w{0,99}$/,
  message: 'must be the beginning of names of fields: a letter, then letters, digits and _',
};
const { on_error, timeout } = rowOptions(0);

/** `| mlpredict`: what a model predicts for each row. */
export const mlPredict = command({
  name: 'mlpredict',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    model: required(text('name of a model that GET /ml/list_models lists, or container:<model>', NOT_EMPTY)),
    probabilities: boolean('add probability(<class>) where the model has them; default false'),
    as: text('prefix of all added fields, such as p for p_predicted(load)', PREFIX),
    on_error,
    timeout: { ...timeout, help: `seconds for a call of the model; default ${DEFAULT_TIMEOUT_S}` },
  },
  fields: ['predicted(<target>)', 'probability(<class>)', ERROR, ERROR_MESSAGE],
  help: {
    summary: 'Adds the predictions of a model to each row.',
    description: [
      'The model is an uploaded ONNX file, which runs in the search itself, a registered cloud model, or a running container.',
      'Its features are the fields of their names; predicted(<target>) has what it predicts.',
      'A row that lacks a feature, or whose value cannot be read, has the reason in prediction_error and prediction_error_message.',
      'The search fails if all rows fail.',
    ].join(' '),
    examples: [
      {
        search:
          '… | stats avg(cpu) as cpu avg(mem) as memory by host | mlpredict model=load | table host "predicted(load)"',
        comment: 'Apply an uploaded model to each host.',
      },
      {
        search: "… | mlpredict model=churn probabilities=true as=m | where 'm_probability(yes)' > 0.8",
        comment: 'Keep rows whose class is likely; the fields have the prefix m.',
      },
    ],
    tags: 'ai ml model predict apply onnx classify score',
  },
  prepare({ model, probabilities = false, as = '', on_error = 'keep', timeout = DEFAULT_TIMEOUT_S }) {
    const options = { model, probabilities, prefix: as, on_error, timeoutS: timeout };
    return { start: (info, parts) => new PredictRun(options, info, parts) };
  },
});
