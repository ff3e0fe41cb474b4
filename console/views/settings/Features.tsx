import Heading from '@splunk/react-ui/Heading';
import Switch from '@splunk/react-ui/Switch';
import { useEffect, useState } from 'react';
import { writeSettings } from '../../api/platform.ts';
import { useFlags, useWho } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { FEATURES, type Flag } from '../../parts/features.ts';
import { Problem } from '../../parts/Problem.tsx';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { ReadState } from '../../parts/work.tsx';
import { Ctsm } from './Ctsm.tsx';

const WATCH_MS = 1000;
/** Driver processes read settings every five seconds. */
const LATEST_MS = 15_000;

interface PendingSwitch {
  flag: Flag;
  value: boolean;
  /** Time of the write by the clock of this page. */
  since: number;
}

export default function Features() {
  const { data: who } = useWho();
  const [pending, setPending] = useState<PendingSwitch>();
  const [failure, setFailure] = useState<unknown>();
  const isWatching = pending !== undefined && Date.now() - pending.since < LATEST_MS;
  const read = useFlags(isWatching && WATCH_MS);
  const { data, refetch } = read;
  useEffect(() => {
    if (pending && data?.flags[pending.flag] === pending.value) setPending(undefined);
  }, [pending, data]);
  const mayWrite = who?.capabilities.includes('admin_all_objects') ?? false;
  const flip = async (flag: Flag, value: boolean) => {
    if (pending) return;
    setFailure(undefined);
    setPending({ flag, value, since: Date.now() });
    try {
      await writeSettings('feature_flags', { [flag]: value ? '1' : '0' });
      await refetch();
    } catch (thrown) {
      setPending(undefined);
      setFailure(thrown);
    }
  };
  const progress = pending && `${FEATURES[pending.flag][0]}: switching ${pending.value ? 'on' : 'off'} …`;
  return (
    <Stack>
      <Heading level={2}>Features</Heading>
      <div>
        Records of a disabled feature can be read but not changed. Changes take effect within 5 seconds.
        {who && !mayWrite && ' Switching requires the capability admin_all_objects.'}
      </div>
      {failure !== undefined && <Problem error={failure} />}
      <ReadState read={read} what="the features" />
      <div role="status">{progress}</div>
      {data && (
        <DataTable
          label="Features"
          heads={[{ label: 'Feature', width: 270 }, { label: 'Description' }, { label: 'Set by', width: 160 }]}
          rows={(Object.keys(FEATURES) as Flag[]).map((flag) => {
            const isOn = pending?.flag === flag ? pending.value : data.flags[flag];
            const [name, about] = FEATURES[flag];
            return {
              key: flag,
              cells: [
                // The switch is as high as a button, which would misalign its row.
                <Switch
                  key="switch"
                  style={{ marginBlock: -6 }}
                  appearance="toggle"
                  selected={isOn}
                  disabled={!mayWrite}
                  onClick={() => flip(flag, !isOn)}
                >
                  {`${name}: ${isOn ? 'on' : 'off'}`}
                </Switch>,
                <div key="about">
                  {about} <small>({flag})</small>
                </div>,
                data.source[flag] === 'conf' ? 'ml_extension.conf' : 'app default',
              ],
            };
          })}
        />
      )}
      <Ctsm />
    </Stack>
  );
}
