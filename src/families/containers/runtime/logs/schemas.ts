import { Type } from 'typebox';
import { named } from '../../../../contract/schemas/named.ts';
import { choiceOf, flag } from '../../engines/field.ts';
import { Model, Text } from '../schemas.ts';

const TAIL = 'How many of the newest lines, 1 to 10000, over all replicas; empty asks for the default';
const SINCE = 'Only lines from this time on: ISO 8601, or a whole number of seconds to go back; empty means all';
const PREVIOUS = "'true': the log of the instance before the last crash";

const TAIL_FORM = { 'x-form': { maxLength: 5, pattern: '^(0*[1-9][0-9]{0,3}|10000)?$' } };
const SINCE_FORM = {
  'x-form': {
    maxLength: 64,
    pattern:
      '^([0-9]{1,10}|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?)?$',
  },
};
const PREVIOUS_FORM = { 'x-form': choiceOf(flag.form) };

export const LogsInput = named(
  'ContainerLogsQuery',
  Type.Object(
    {
      model: Model,
      tail: Text(TAIL, { default: '1000', ...TAIL_FORM }),
      since: Text(SINCE, SINCE_FORM),
      previous: Text(PREVIOUS, { default: 'false', ...PREVIOUS_FORM }),
    },
    { description: 'Which part of the log of a container to read' },
  ),
);

export const LogsQuery = Type.Object({
  model: Type.Optional(Model),
  tail: Type.Optional(Type.String({ default: '1000', description: TAIL, ...TAIL_FORM })),
  since: Type.Optional(Type.String({ description: SINCE, ...SINCE_FORM })),
  previous: Type.Optional(Type.String({ default: 'false', description: PREVIOUS, ...PREVIOUS_FORM })),
});

export const LogEntries = named(
  'ContainerLogs',
  Type.Object(
    {
      entries: Type.Array(
        named(
          'ContainerLogLine',
          Type.Object(
            {
              _time: Type.String({ description: "ISO 8601, UTC with milliseconds, from the engine's own timestamp" }),
              log: Type.String({ description: 'The line, without its line break' }),
            },
            { description: 'One line' },
          ),
        ),
        { description: 'The lines of all replicas, oldest first' },
      ),
    },
    { description: 'A part of the log of a container' },
  ),
);
