import Heading from '@splunk/react-ui/Heading';
import { ml } from '../../../api/client.ts';
import { useRead } from '../../../api/queries.ts';
import { Stack } from '../../../app/styles.ts';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { amountWords, QUANTITIES, Share, shareOf, statedIn, WINDOWS } from './words.tsx';

const POLL_MS = 30_000;

/** The remainder of the limits that apply to the user. */
export function OwnLimits() {
  const read = useRead({
    queryKey: ['limits', 'own'],
    queryFn: async ({ signal }) => (await ml.call('getOwnUsageLimits', {}, { signal })).result,
    refetchInterval: POLL_MS,
  });
  const rows = (read.data ?? []).flatMap((limit) => statedIn(limit.left).map((quantity) => ({ limit, quantity })));
  return (
    <section aria-label="Your limits">
      <Stack>
        <Heading level={2} style={{ margin: 0 }}>
          Your limits
        </Heading>
        <ReadState read={read} what="your limits" />
        {read.data?.length === 0 && <div>No limit applies to your use of models, tools and stores.</div>}
        {rows.length > 0 && (
          <DataTable
            label="Your limits"
            heads={['Limit', 'Of', 'Left', 'State', 'Used', 'Period', 'Resets'].map((label) => ({ label }))}
            rows={rows.map(({ limit, quantity }) => ({
              key: `${limit.name} ${quantity}`,
              cells: [
                limit.name,
                QUANTITIES[quantity],
                amountWords(quantity, limit.left[quantity]),
                <Share key="share" share={shareOf(quantity, limit)} />,
                amountWords(quantity, limit.used[quantity]),
                WINDOWS[limit.window],
                <Time key="resets" at={limit.resets_at} />,
              ],
            }))}
          />
        )}
      </Stack>
    </section>
  );
}
