import { jsonReply, wantsJson, xmlReply } from '../../eai/replies.ts';
import { xmlText } from '../../eai/xml.ts';
import type { PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import { chosen } from '../results/resultPage.ts';
import { cellText } from '../results/rows.ts';
import type { SearchJob } from './job.ts';

const MOST_MODES = 10;

/** For each field, the number of rows with it and its most frequent values. */
export function summary(job: SearchJob, req: PlatformRequest): PlatformReply {
  const fields = chosen(req, job.columns).map((name): [string, Summary] => [name, summarise(job, name)]);
  const { earliest, latest } = job.settings;
  if (wantsJson(req)) {
    const times = { earliest_time: earliest, latest_time: latest, duration: 0, event_count: job.rows.length };
    return jsonReply(200, { ...times, fields: Object.fromEntries(fields) });
  }
  const items = fields.map(([name, { count, distinct_count: distinct, modes }]) => {
    const values = modes.map(
      (mode) => `<value count="${mode.count}" exact="1"><text>${xmlText(mode.value)}</text></value>`,
    );
    return `<field k="${xmlText(name)}" c="${count}" nc="0" dc="${distinct}" exact="1"><modes>${values.join('')}</modes></field>\n`;
  });
  return xmlReply(
    200,
    `<results preview='0'>\n<summary earliest_time="${earliest}" latest_time="${latest}" duration="0" c="${job.rows.length}">\n${items.join('')}</summary>\n</results>\n`,
  );
}

interface Summary {
  count: number;
  distinct_count: number;
  is_exact: boolean;
  modes: { value: string; count: number; is_exact: boolean }[];
}

function summarise(job: SearchJob, name: string): Summary {
  const values = new Map<string, number>();
  let count = 0;
  for (const row of job.rows) {
    const cell = row[name];
    if (cell === undefined) continue;
    const value = cellText(cell);
    count += 1;
    values.set(value, (values.get(value) ?? 0) + 1);
  }
  const modes = [...values].sort(([, a], [, b]) => b - a).slice(0, MOST_MODES);
  return {
    count,
    distinct_count: values.size,
    is_exact: true,
    modes: modes.map(([value, times]) => ({ value, count: times, is_exact: true })),
  };
}

/** Empty, since there are no timed events to count. */
export function timeline(job: SearchJob, req: PlatformRequest): PlatformReply {
  const count = job.rows.length;
  if (wantsJson(req)) return jsonReply(200, { buckets: [], cursor_time: 0, event_count: count, is_final: job.done });
  return xmlReply(200, `<timeline c="${count}" cursor="0" final="${job.done ? 1 : 0}"/>\n`);
}
