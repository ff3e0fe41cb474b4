import { type Static, Type } from 'typebox';
import { ALERT_OUTCOMES, MAX_ALERT_ROWS } from '../../../contract/families/alerts.ts';
import { named } from '../../../contract/schemas/named.ts';

const Cell = Type.Union([Type.String(), Type.Array(Type.String())], { description: 'A value, or several' });
const Row = Type.Record(Type.String(), Cell, { description: 'A row: the values of its fields' });

export const AlertBody = named(
  'RunAlert',
  Type.Object(
    {
      search_name: Type.String({ maxLength: 1024, description: 'The saved search; empty for one that nobody saved' }),
      sid: Type.String({ minLength: 1, maxLength: 1024, description: 'The search job' }),
      result_id: Type.Optional(
        Type.String({ maxLength: 256, description: 'The result, of an alert that is triggered for each result' }),
      ),
      app: Type.String({ maxLength: 256, description: 'App of the saved search' }),
      owner: Type.Optional(Type.String({ maxLength: 1024, description: 'Owner of the saved search; grants nothing' })),
      params: Type.Record(Type.String(), Type.String({ maxLength: 65_536 }), {
        description: 'Parameters of the alert action, as texts. An empty one is its default, an unknown one is ignored',
      }),
      rows: Type.Array(Row, { maxItems: MAX_ALERT_ROWS, description: 'Rows of the results' }),
      first_row: Type.Optional(
        Type.Integer({ minimum: 0, default: 0, description: 'Position of the first row among the results' }),
      ),
      row_count: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Rows of the results, those that are not sent among them' }),
      ),
      ordinals: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0 }), {
          maxItems: MAX_ALERT_ROWS,
          description: 'For each row: how many equal ones come before it in the results',
        }),
      ),
      will_retry: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Rows whose outcome has should_retry are sent again, so that they leave no event now',
        }),
      ),
    },
    { description: 'Rows of an alert; each starts a run, or all together one' },
  ),
);
export type Alert = Static<typeof AlertBody>;
export type AlertRow = Alert['rows'][number];

const AlertOutcome = named(
  'RunAlertOutcome',
  Type.Object(
    {
      row: Type.Integer({ description: 'Index of the row in the request; 0 for the whole alert' }),
      outcome: Type.Enum([...ALERT_OUTCOMES], {
        description:
          'started: a run was. claimed: an earlier request did so, or reported why not. suppressed: a row with the same key started one. max_runs: the search has started as many as it may. refused: error_code says why',
      }),
      run_id: Type.Optional(Type.String({ description: 'The run' })),
      error_code: Type.Optional(Type.String({ description: 'Why it was refused' })),
      message: Type.Optional(Type.String({ description: 'What happened' })),
      should_retry: Type.Optional(Type.Boolean({ description: 'true: it may succeed if it is sent again' })),
    },
    { description: 'What became of a row' },
  ),
);
export type AlertOutcomeView = Static<typeof AlertOutcome>;

export const AlertReply = named(
  'RunAlertOutcomes',
  Type.Object(
    { outcomes: Type.Array(AlertOutcome, { description: 'Outcomes of the rows' }) },
    { description: 'What became of the rows of an alert' },
  ),
);

export const Source = named(
  'RunSource',
  Type.Object(
    {
      kind: Type.Enum(['alert'], { description: 'What started the run' }),
      search_name: Type.String({ description: 'The saved search; empty for one that nobody saved' }),
      sid: Type.String({ description: 'The search job' }),
      result_id: Type.Optional(Type.String({ description: 'The result' })),
      app: Type.String({ description: 'App of the saved search' }),
    },
    { description: 'The alert that started the run' },
  ),
);

export const Result = named(
  'RunResult',
  Type.Object(
    {
      index: Type.String({ description: 'The index' }),
      sourcetype: Type.String({ description: 'Sourcetype of the event' }),
      written: Type.Boolean({ description: 'Whether the event was sent' }),
      error_code: Type.Optional(
        Type.String({ description: 'Why it was not: index_not_allowed, or why the platform did not take it' }),
      ),
    },
    { description: 'The index that gets the answer as an event when the run ends' },
  ),
);
