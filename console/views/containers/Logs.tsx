import Button from '@splunk/react-ui/Button';
import Checkbox from '@splunk/react-ui/Checkbox';
import Message from '@splunk/react-ui/Message';
import Select from '@splunk/react-ui/Select';
import Text from '@splunk/react-ui/Text';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { Problem } from '../../parts/Problem.tsx';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import { Loading } from '../../parts/table/States.tsx';
import { formatCount } from '../../parts/text/format.ts';
import { LogLines, textOf } from './LogLines.tsx';
import { type Line, type LogRange, useLog } from './useLog.ts';

const TAILS = { '200': '200 lines', '1000': '1,000 lines', '10000': '10,000 lines' };
const SINCE = { '': 'the beginning', '300': '5 minutes', '900': '15 minutes', '3600': 'an hour', '86400': 'a day' };

export default function Logs({ model, onClose }: { model: string; onClose(): void }) {
  const client = useQueryClient();
  const [range, setRange] = useState<LogRange>({ tail: '1000', since: '', previous: false, follow: false });
  const [typed, setTyped] = useState('');
  const [isOnlyMatches, setIsOnlyMatches] = useState(false);
  const [isWrapped, setIsWrapped] = useState(true);
  const [hasTimes, setHasTimes] = useState(true);
  const [isCopied, setIsCopied] = useState(false);
  const { lines, error, isBusy, hasEnded, again } = useLog(model, range);

  const put = (change: Partial<LogRange>) => {
    setIsCopied(false);
    setRange({ ...range, ...change });
  };
  const query = typed.trim().toLowerCase();
  const matches = (lines ?? []).filter(
    (line) => query !== '' && textOf([line], hasTimes).toLowerCase().includes(query),
  );
  const visibleLines = query !== '' && isOnlyMatches ? matches : (lines ?? []);
  return (
    <Dialog
      title={`Logs of ${model}`}
      onClose={onClose}
      width={1200}
      footer={<Button label="Close" onClick={onClose} />}
    >
      <Stack>
        <Row>
          <Choice label="Show" options={TAILS} value={range.tail} onChange={(tail) => put({ tail })} />
          <Choice label="Since" options={SINCE} value={range.since} onChange={(since) => put({ since })} />
          <Checkbox
            checked={range.previous}
            disabled={range.follow}
            onChange={() => put({ previous: !range.previous })}
          >
            Previous instance
          </Checkbox>
          <Checkbox checked={range.follow} onChange={() => put({ follow: !range.follow, previous: false })}>
            Follow
          </Checkbox>
          <Spacer />
          {!range.follow && <Button label="Refresh" onClick={again} aria-busy={isBusy} />}
          <Button
            label={isCopied ? 'Copied' : 'Copy'}
            disabled={visibleLines.length === 0}
            onClick={async () => setIsCopied(await copy(textOf(visibleLines, hasTimes)))}
          />
          <Button
            label="Download"
            disabled={visibleLines.length === 0}
            onClick={() => download(`${model}.log`, textOf(visibleLines, hasTimes))}
          />
        </Row>
        <Row>
          <div style={{ width: 280, maxWidth: '100%' }}>
            <Text
              type="search"
              canClear
              value={typed}
              placeholder="Search in the log"
              aria-label="Search in the log"
              onChange={(_event, { value }) => setTyped(value)}
            />
          </div>
          <Checkbox checked={isOnlyMatches} onChange={() => setIsOnlyMatches(!isOnlyMatches)}>
            Matching lines only
          </Checkbox>
          <Checkbox checked={isWrapped} onChange={() => setIsWrapped(!isWrapped)}>
            Wrap lines
          </Checkbox>
          <Checkbox checked={hasTimes} onChange={() => setHasTimes(!hasTimes)}>
            Times (UTC)
          </Checkbox>
        </Row>
        {error ? (
          <Problem error={error} onRetry={again} note={lines?.length ? 'Showing earlier data.' : undefined} />
        ) : null}
        {hasEnded && <Message type="info">The container has stopped.</Message>}
        {!lines && !error && !isBusy && <Message type="info">You stopped waiting. Refresh to try again.</Message>}
        {!lines && !error && isBusy && (
          <Loading what="the log" onStop={() => client.cancelQueries({ queryKey: ['container-log'] })} />
        )}
        {lines && (
          <LogLines
            label={`Log of ${model}`}
            lines={visibleLines}
            query={query}
            isWrapped={isWrapped}
            hasTimes={hasTimes}
          />
        )}
        {lines && <small role="status">{sumOf(lines, matches.length, query, range.follow)}</small>}
      </Stack>
    </Dialog>
  );
}

const linesIn = (count: number): string => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`;

function sumOf(lines: readonly Line[], matches: number, query: string, isFollowed: boolean): string {
  if (lines.length === 0) return isFollowed ? 'Waiting for the first line …' : 'No lines.';
  const end = isFollowed ? '; following' : '';
  if (query === '') return `${linesIn(lines.length)}${end}`;
  return `${formatCount(matches)} of ${linesIn(lines.length)} ${matches === 1 ? 'matches' : 'match'}${end}`;
}

function Choice<K extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Readonly<Record<K, string>>;
  value: K | string;
  onChange(value: K): void;
}) {
  return (
    <Select
      inline
      value={value}
      prefixLabel={label}
      labelText={`${label}: ${options[value as K]}`}
      onChange={(_event, change) => onChange(String(change.value) as K)}
    >
      {Object.entries<string>(options).map(([option, words]) => (
        <Select.Option key={option} label={words} value={option} />
      ))}
    </Select>
  );
}

/** @returns whether it is in the clipboard; the browser's own is there for pages over https only */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const put = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', put, { once: true });
    const isDone = document.execCommand('copy');
    document.removeEventListener('copy', put);
    return isDone;
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}
