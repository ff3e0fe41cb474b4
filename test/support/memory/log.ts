import type { Log } from '../../../src/ports/platform/log.ts';

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  event: string;
  fields: Record<string, unknown>;
}

export class MemoryLog implements Log {
  readonly lines: LogLine[] = [];
  info = (event: string, fields: Record<string, unknown> = {}) => this.#add('info', event, fields);
  warn = (event: string, fields: Record<string, unknown> = {}) => this.#add('warn', event, fields);
  error = (event: string, fields: Record<string, unknown> = {}) => this.#add('error', event, fields);

  events(level?: LogLine['level']): string[] {
    return this.lines.filter((line) => !level || line.level === level).map((line) => line.event);
  }

  text(): string {
    return JSON.stringify(this.lines);
  }

  #add(level: LogLine['level'], event: string, fields: Record<string, unknown>): void {
    this.lines.push({ level, event, fields });
  }
}
