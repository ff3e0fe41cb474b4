import Select from '@splunk/react-ui/Select';
import Text from '@splunk/react-ui/Text';
import { useEffect, useState } from 'react';
import { useUrl } from '../../app/url.ts';
import type { Filter } from '../panel/resource.ts';
import { TimeInput } from './TimeInput.tsx';

/** The filters of the address. */
export function filtersIn(url: URLSearchParams, filters: readonly Filter[]): Record<string, string> {
  const set = filters.map(({ name }) => [name, url.get(name) ?? ''] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== ''));
}

const ANY = '';

/** @param page key in the address, which a changed filter resets */
export function Filters({ filters, page = 'page' }: { filters: readonly Filter[]; page?: string }) {
  const [url, go] = useUrl();
  const put = (name: string, value: string) => go({ [name]: value, [page]: undefined }, 'replace');
  return (
    <>
      {filters.map(({ name, label, options, isTime }) => {
        const value = url.get(name) ?? ANY;
        if (isTime) return <TimeInput key={name} label={label} value={value} onChange={(time) => put(name, time)} />;
        if (!options)
          return <TextFilter key={name} label={label} value={value} onChange={(typed) => put(name, typed)} />;
        return (
          <Select
            key={name}
            inline
            value={value}
            prefixLabel={label}
            labelText={`${label}: ${options[value] ?? 'any'}`}
            onChange={(_event, change) => put(name, String(change.value))}
          >
            <Select.Option label="any" value={ANY} />
            {Object.entries(options).map(([option, words]) => (
              <Select.Option key={option} label={words} value={option} />
            ))}
          </Select>
        );
      })}
    </>
  );
}

/** Applies on blur or Enter, since the filter matches whole names. */
function TextFilter({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = () => typed.trim() !== value && onChange(typed.trim());
  return (
    <div style={{ width: 140 }}>
      <Text
        value={typed}
        placeholder={label}
        aria-label={label}
        canClear
        onChange={(_event, change) => {
          setTyped(change.value);
          if (change.value === '') onChange('');
        }}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </div>
  );
}
