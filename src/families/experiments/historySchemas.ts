import { type Static, Type } from 'typebox';
import { SharingInput } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { MODEL_NAME_MESSAGE, MODEL_NAME_PATTERN } from '../model-files/public.ts';
import { HISTORY_ACTIONS } from './constants.ts';
import { FreeObject, IdView, Search, SearchView, Statistics } from './schemas.ts';

export const HistoryAction = named(
  'HistoryAction',
  Type.Enum([...HISTORY_ACTIONS], {
    description: 'The action. The server adds create, update and clone_models; note is for remarks.',
  }),
);
const status = (more: { default?: string } = {}) =>
  Type.Enum(['success', 'fail'], { description: 'Result of the action', ...more });
export const EntryStatus = status();
const SID = 'Id of the search';
const MODELS = 'Names of the models';
const DURATION = 'Duration in milliseconds';
const MESSAGE = 'Text for a person';
const Parameters = FreeObject('Parameters, with keys and values of the caller');

export const HistoryInput = named(
  'HistoryEntryInput',
  Type.Object(
    {
      action: HistoryAction,
      sid: Type.Optional(Type.String({ maxLength: 1024, description: SID })),
      search: Type.Optional(Search),
      models: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description: MODELS })),
      parameters: Type.Optional(Parameters),
      statistics: Type.Optional(Statistics),
      duration_ms: Type.Optional(Type.Number({ minimum: 0, description: DURATION })),
      status: Type.Optional(status({ default: 'success' })),
      message: Type.Optional(Type.String({ maxLength: 16_384, description: MESSAGE })),
    },
    { description: 'An entry to add to the history of an experiment' },
  ),
);

export const HistoryId = Type.String({ description: 'Id of the entry, set by the server' });
export const HistoryEntry = named(
  'HistoryEntry',
  Type.Object(
    {
      history_id: HistoryId,
      experiment_id: IdView,
      action: HistoryAction,
      timestamp: Type.Number({ description: 'When added, epoch seconds with a fraction; set by the server' }),
      user: Type.String({ description: 'Who added it; set by the server' }),
      sid: Type.Optional(Type.String({ description: SID })),
      search: Type.Optional(SearchView),
      models: Type.Optional(Type.Array(Type.String(), { description: MODELS })),
      parameters: Type.Optional(Parameters),
      statistics: Type.Optional(Statistics),
      duration_ms: Type.Optional(Type.Number({ description: DURATION })),
      status: EntryStatus,
      message: Type.Optional(Type.String({ description: MESSAGE })),
    },
    { description: 'An event of an experiment; entries never change' },
  ),
);

const ModelName = Type.String({
  maxLength: 128,
  pattern: MODEL_NAME_PATTERN,
  description: 'Name of the copy',
  'x-message': MODEL_NAME_MESSAGE,
});

export const CloneInput = named(
  'ModelClones',
  Type.Object(
    {
      models: Type.Optional(
        Type.Array(
          named(
            'ModelClone',
            Type.Object(
              {
                source: Type.String({
                  minLength: 1,
                  maxLength: 256,
                  description: 'Name of the model to copy; a prefix app: is ignored',
                  'x-trim': true,
                }),
                destination: ModelName,
              },
              { description: 'One model to copy' },
            ),
          ),
          {
            minItems: 1,
            maxItems: 200,
            description:
              'The copies to make, each destination once. Default: every draft model of the experiment, under its final name.',
          },
        ),
      ),
      sharing: Type.Optional(
        SharingInput("user: the copies are the caller's own. app: they are shared in the app.", { default: 'user' }),
      ),
      overwrite: Type.Optional(
        Type.Boolean({ default: false, description: 'Replace existing destinations instead of skipping them' }),
      ),
    },
    { description: 'Which models to copy, and how' },
  ),
);

export const CloneResult = named(
  'ModelCloneResult',
  Type.Object(
    {
      source: Type.String({ description: 'Name of the source model' }),
      destination: Type.String({ description: 'Name of the copy' }),
      status: Type.Enum(['cloned', 'skipped', 'failed'], {
        description: 'skipped: the destination exists already; failed: see error_code',
      }),
      error_code: Type.Optional(Type.String({ description: 'Why there is no copy; absent on success' })),
    },
    { description: 'Result of one copy' },
  ),
);

export type HistoryInput = Static<typeof HistoryInput>;
export type HistoryEntry = Static<typeof HistoryEntry>;
export type CloneInput = Static<typeof CloneInput>;
export type CloneResult = Static<typeof CloneResult>;
