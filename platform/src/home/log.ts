import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';

export interface PlatformLog {
  /** One line into $SPLUNK_HOME/var/log/splunk/splunkd.log. @param thread as splunkd names it behind the process id */
  write(level: LogLevel, component: string, message: string, thread?: string): void;
}

const MAX_BYTES = 25_000_000;

/** `$SPLUNK_HOME/var/log/splunk/splunkd.log`, one line per event; one full file is kept. */
export function openLog(home: string): PlatformLog {
  const file = join(home, 'var', 'log', 'splunk', 'splunkd.log');
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return {
    write(level, component, message, thread) {
      const text = message.replace(/[\r\n]+/g, ' | ').replace(/\p{Cc}/gu, ' ');
      const writer = thread === undefined ? String(process.pid) : `${process.pid} ${thread}`;
      const line = `${logStamp(new Date())} ${level.padEnd(5)} ${component} [${writer}] - ${text}\n`;
      try {
        if (size > MAX_BYTES) {
          renameSync(file, `${file}.1`);
          size = 0;
        }
        appendFileSync(file, line, { mode: 0o600 });
        size += Buffer.byteLength(line);
      } catch {
        // A full disk must not stop the server.
      }
    },
  };
}

/** `MM-DD-YYYY HH:mm:ss.SSS +0000`, as splunkd writes it. */
export function logStamp(now: Date): string {
  const [date = '', time = ''] = now.toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${month}-${day}-${year} ${time.replace('Z', '')} +0000`;
}
