import Message from '@splunk/react-ui/Message';
import { useEffect, useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import type { Values } from '../../../parts/form/facts.ts';
import type { NoteProps } from '../../../parts/form/spec.ts';
import { type Configuration, ofConnection } from './record.ts';

/** A form value without a field: whether the typed connection exists. */
export const EXISTS = '~exists';

const PAUSE_MS = 300;

/** The value after a pause in typing. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** Hides the settings of an existing connection: they would change for all its models. */
export function ExistingConnection({ values, put }: { values: Values; put: NoteProps['put'] }) {
  const service = typeof values.service === 'string' ? values.service : '';
  const typed = typeof values.connection_name === 'string' ? values.connection_name.trim() : '';
  const name = useDebounced(typed);
  const { data = [] } = useRead({
    queryKey: ['llm', 'connection', service, name],
    queryFn: ({ signal }) => ofConnection(service, name, signal),
    enabled: service !== '' && name !== '',
    retry: false,
  });
  const exists = typed === name && name !== '' && data.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: put is another one with each drawing of the form
  useEffect(() => put(EXISTS, exists), [exists]);
  return exists ? (
    <Message type="info">
      The connection {data[0]?.connection_name} exists, with {countOf(data.length)}. The new model uses its address and
      key.
    </Message>
  ) : null;
}

/** Tells whether an endpoint is needed. */
export const Hosting = ({ hosting }: { hosting: string }) => (
  <Message type="info">{hosting}, unless the connection has an endpoint of its own.</Message>
);

const countOf = (count: number): string => (count === 1 ? '1 model' : `${count} models`);

/** The other models that a change affects. */
export function SharedSettings({ record: { models = [], model, connection_name } }: { record: Configuration }) {
  const others = models.filter((other) => other !== model);
  return others.length > 0 ? (
    <Message type="warning">
      These settings are shared by {countOf(models.length)} of {connection_name}. A change also affects{' '}
      {others.join(', ')}.
    </Message>
  ) : null;
}
