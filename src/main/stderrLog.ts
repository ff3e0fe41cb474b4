import type { Log } from '../ports/log.ts';

/** The platform copies a driver's stderr into splunkd.log, a line an event; stdout belongs to the frames. */
export function stderrLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const line =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ level, event, ...fields })}\n`);
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
