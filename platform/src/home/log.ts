import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface PlatformLog {
  /** One line into $SPLUNK_HOME/var/log/splunk/splunkd.log */
  write(level: 'INFO' | 'WARN' | 'ERROR', component: string, message: string): void;
}

const MAX_BYTES = 25_000_000;

/** `$SPLUNK_HOME/var/log/splunk/splunkd.log`, one line per event; one full file is kept. */
export function openLog(home: string): PlatformLog {
  const file = join(home, 'var', 'log', 'splunk', 'splunkd.log');
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return {
    write(level, component, message) {
      const text = message.replace(/[\r\n]+/g, ' | ').replace(/\p{Cc}/gu, ' ');
      const line = `${logStamp(new Date())} ${level.padEnd(5)} ${component} [${process.pid}] - ${text}\n`;
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
