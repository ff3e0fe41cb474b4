const WIDTH = 120;

/** JSON in which a value takes one line where it fits, so that a field of a schema is a line of a diff. */
export function compactJson(value: unknown, indent = '', labelWidth = 0): string {
  // Line breaks within texts are escaped.
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + labelWidth + line.length <= WIDTH) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([key, part]) => {
      const label = open === '[' ? '' : `${JSON.stringify(key)}: `;
      return `${indent}  ${label}${compactJson(part, `${indent}  `, label.length + 1)}`;
    });
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
