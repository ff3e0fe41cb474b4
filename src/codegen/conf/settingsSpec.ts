import { SETTINGS } from '../../contract/settings/settings.ts';

const WIDTH = 124;

/** `app/README/ml_extension.conf.spec`: the documented settings, checked by btool. */
export function settingsSpec(): string {
  const stanzas = Object.entries(SETTINGS).map(([name, { text, settings }]) =>
    [`[${name}]`, ...text.flatMap(bullet), '', ...Object.entries(settings).flatMap(described)].join('\n').trimEnd(),
  );
  return `# Settings of the Machine Learning Extension. Changes take effect within five seconds, without a restart.\n\n${stanzas.join('\n\n')}\n`;
}

/** A setting in a spec file. */
export function described([name, { form, text, default: value }]: [
  string,
  { form: string; text: readonly string[]; default?: string },
]): string[] {
  return [`${name} = ${form}`, ...[...text, `Default: ${value ?? 'none'}`].flatMap(bullet), ''];
}

function bullet(text: string): string[] {
  const lines: string[] = [];
  let line = '*';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '*';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
