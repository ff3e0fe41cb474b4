import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import { useUrl } from '../../../app/url.ts';

/** Seconds: the proxy ends calls after 30. */
export const TIMEOUT_S = 25;

const SOURCES = { '': 'MCP connections', splunk: 'Searches of Splunk' } as const;
type Source = keyof typeof SOURCES;

/** Where the tools on this page are from; the address has it. */
export function useSource(): Source {
  const [url] = useUrl();
  return url.get('from') === 'splunk' ? 'splunk' : '';
}

export function ToolSource() {
  const [, go] = useUrl();
  return (
    <ControlGroup label="Tools of" labelPosition="top">
      <Select value={useSource()} onChange={(_event, { value }) => go({ from: String(value) }, 'replace')}>
        {Object.entries(SOURCES).map(([value, label]) => (
          <Select.Option key={value} label={label} value={value} />
        ))}
      </Select>
    </ControlGroup>
  );
}

interface NameChoiceProps {
  label: string;
  names: readonly string[];
  value: string;
  onChange(name: string): void;
}

export function NameChoice({ label, names, value, onChange }: NameChoiceProps) {
  const options = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <ControlGroup label={label} labelPosition="top">
      <Select filter value={value} placeholder="Choose" onChange={(_event, change) => onChange(String(change.value))}>
        {options.map((name) => (
          <Select.Option key={name} label={name} value={name} />
        ))}
      </Select>
    </ControlGroup>
  );
}
