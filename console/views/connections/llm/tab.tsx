import { useMemo } from 'react';
import { ml } from '../../../api/client.ts';
import { useRead } from '../../../api/queries.ts';
import { Stack } from '../../../app/styles.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { llmResource } from './resource.tsx';

/** The forms are drawn from the catalog of providers. */
export default function LlmConnections() {
  const { data, error, refetch } = useRead({
    queryKey: ['llm', 'catalogue'],
    queryFn: async ({ signal }) => (await ml.call('getLlmCatalogue', {}, { signal })).config,
  });
  const resource = useMemo(() => llmResource(data), [data]);
  return (
    <>
      {error && (
        <Stack style={{ marginBottom: 12 }}>
          <Problem
            error={error}
            note="Models cannot be added or changed without the catalog."
            onRetry={() => refetch()}
          />
        </Stack>
      )}
      <ResourcePage resource={resource} />
    </>
  );
}
