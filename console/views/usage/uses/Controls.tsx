import Select from '@splunk/react-ui/Select';
import { USAGE_KEYS } from '../../../../src/contract/families/usage.ts';
import { useUrl } from '../../../app/url.ts';
import { TimeInput } from '../../../parts/table/TimeInput.tsx';
import { CUSTOM, type ReportQuery, spanIn } from './asked.ts';
import { GROUPS } from './measures.ts';
import { INTERVALS, type Interval, intervalOf, isFit, RANGES } from './time.ts';

/** Pages of tables, which restart when something else is shown. */
export const FIRST_PAGES = { page: undefined, groups: undefined } as const;

/** Time range, length of the bars, and grouping. */
export function Controls({ asked }: { asked: ReportQuery }) {
  const [, go] = useUrl();
  const now = Date.now() / 1000;
  const span = spanIn(asked, now);
  const lengths = (Object.keys(INTERVALS) as Interval[]).filter((interval) => isFit(interval, span, now));
  const put = (changes: Record<string, string | undefined>) => go({ ...FIRST_PAGES, ...changes }, 'replace');
  return (
    <>
      <Choice
        label="Time"
        value={asked.range}
        options={{
          ...Object.fromEntries(Object.entries(RANGES).map(([key, { label }]) => [key, label])),
          custom: 'Custom',
        }}
        onChange={(range) => put({ range, earliest: undefined, latest: undefined })}
      />
      {asked.range === CUSTOM && (
        <>
          <TimeInput label="From" value={asked.from} onChange={(earliest) => put({ range: CUSTOM, earliest })} />
          <TimeInput label="Until" value={asked.until} onChange={(latest) => put({ range: CUSTOM, latest })} />
        </>
      )}
      <Choice
        label="Sums per"
        value={intervalOf(asked.interval, span, now)}
        options={Object.fromEntries(lengths.map((interval) => [interval, INTERVALS[interval]]))}
        onChange={(interval) => put({ interval })}
      />
      <Choice
        label="Grouped by"
        value={asked.by}
        options={Object.fromEntries(USAGE_KEYS.map((key) => [key, GROUPS[key][0].toLowerCase()]))}
        onChange={(by) => put({ by })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  /** Value -> label. */
  options: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Select
      inline
      value={value}
      prefixLabel={label}
      labelText={`${label}: ${options[value]}`}
      onChange={(_event, change) => onChange(String(change.value))}
    >
      {Object.entries(options).map(([option, words]) => (
        <Select.Option key={option} label={words} value={option} />
      ))}
    </Select>
  );
}
