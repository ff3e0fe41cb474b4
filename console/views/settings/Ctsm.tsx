import Checkbox from '@splunk/react-ui/Checkbox';
import Heading from '@splunk/react-ui/Heading';
import { useQueryClient } from '@tanstack/react-query';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal } from '../../api/rights.ts';
import { Row, Stack } from '../../app/styles.ts';
import { Action } from '../../parts/Action.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { ReadState, useWork, WorkState } from '../../parts/work.tsx';

const KEY = ['ctsm'];

/** The user's own settings of curated time series models. */
export function Ctsm() {
  const client = useQueryClient();
  const refusal = useRefusal();
  const work = useWork<'change'>();
  const read = useRead({
    queryKey: KEY,
    queryFn: ({ signal }) => ml.call('getCtsmFeature', {}, { signal }),
  });
  const { data } = read;
  const perform = async (call: () => Promise<unknown>) => {
    if (work.running) return;
    await work.start('change', async () => {
      await call().finally(() => client.invalidateQueries({ queryKey: KEY }));
    });
  };
  const why = refusal('setCtsmFeature');
  const flip = (ctsm_opt_out: boolean) => perform(() => ml.call('setCtsmFeature', { body: { ctsm_opt_out } }));
  return (
    <section aria-label="Curated time series models">
      <Stack>
        <Heading level={2}>Curated time series models</Heading>
        <div>These settings apply to you only.</div>
        <WorkState work={work} />
        <ReadState read={read} what="your choices" />
        {data && (
          <>
            <Checkbox
              checked={!data.ctsm_opt_out}
              disabled={why !== undefined}
              onChange={() => flip(!data.ctsm_opt_out)}
            >
              Use curated time series models
            </Checkbox>
            {why && <small>{why}.</small>}
            <Row>
              {data.ctsm_acknowledge ? (
                <span>
                  You acknowledged the notice about these models <Time at={data.acknowledged_at} />.
                </span>
              ) : (
                <>
                  <span>You have not acknowledged the notice about these models. This cannot be undone.</span>
                  <Action
                    label="Acknowledge"
                    busy={work.running !== undefined}
                    refusal={refusal('acknowledgeCtsm')}
                    onClick={() => perform(() => ml.call('acknowledgeCtsm', {}))}
                  />
                </>
              )}
            </Row>
          </>
        )}
      </Stack>
    </section>
  );
}
