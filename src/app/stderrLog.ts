import type { Log } from '../ports/platform/log.ts';

/** The platform copies a driver's stderr into splunkd.log, one event per line; stdout belongs to the frames. */
export function stderrLog(write: (line: string) => void = toStderr()): Log {
  const line =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ level, event, ...fields })}\n`);
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

/**
 * A platform that has died no longer reads the log. Its broken pipe must not become an uncaught error, which would be logged,
 * which would break again: such a process would run for ever and use a whole core.
 */
function toStderr(): (line: string) => void {
  // The runtime makes the stream when it is first asked for, which takes some ms: most starts have nothing to say.
  let stderr: NodeJS.WriteStream | undefined;
  return (line) => {
    stderr ??= process.stderr.on('error', () => {});
    stderr.write(line);
  };
}
