import type { Log } from '../ports/platform/log.ts';

/** Logs to stderr, which the platform copies to splunkd.log; stdout is used for frames. */
export function stderrLog(write: (line: string) => void = toStderr()): Log {
  const line =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ level, event, ...fields })}\n`);
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

/** Ignores a broken pipe: logging the uncaught error would fail again, in an endless loop. */
function toStderr(): (line: string) => void {
  // Creating the stream takes some ms, and most starts log nothing.
  let stderr: NodeJS.WriteStream | undefined;
  return (line) => {
    stderr ??= process.stderr.on('error', () => {});
    stderr.write(line);
  };
}
