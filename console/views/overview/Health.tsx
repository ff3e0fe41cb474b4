import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Stack } from '../../app/styles.ts';
import { FactList } from '../../parts/panel/FactList.tsx';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { Fold } from '../../parts/text/Fold.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { ReadState } from '../../parts/work.tsx';

const POLL_MS = 60_000;
const MIB = 1024 * 1024;

const State = ({ of: state }: { of: string }) => (
  <StateBadge tone={state === 'ready' ? 'success' : 'error'}>{state}</StateBadge>
);

/** The health of the app. */
export function Health() {
  const read = useRead({
    queryKey: ['health'],
    queryFn: ({ signal }) => ml.call('getHealth', {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const { data, dataUpdatedAt } = read;
  if (!data) return <ReadState read={read} what="the app" />;
  const { version, store, secrets, drivers, reason, message, remedy } = data;
  return (
    <Stack>
      <ReadState read={read} what="the app" />
      <FactList
        title="The app"
        rows={[
          ['Version', version],
          ['Records', <State key="store" of={store} />],
          ['Secrets', <State key="secrets" of={secrets} />],
          ...(reason ? ([['Reason', `${message}. ${remedy}`]] as const) : []),
        ]}
      />
      <Fold title={drivers.length === 1 ? '1 process' : `${drivers.length} processes`}>
        <FactList
          rows={drivers.map(({ pid, runtime, uptime_s, memory_bytes, requests }) => [
            `Process ${pid}`,
            <span key={pid}>
              {runtime}, {Math.round(memory_bytes / MIB)} MiB, {requests} {requests === 1 ? 'request' : 'requests'},
              started <Time at={dataUpdatedAt / 1000 - uptime_s} />
            </span>,
          ])}
        />
      </Fold>
    </Stack>
  );
}
