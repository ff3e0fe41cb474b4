/** A pattern in which `*` matches anything. Splitting keeps hostile patterns linear, unlike `.*`. */
export function wildcard(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() ?? '';
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let start = first.length;
    for (const part of parts) {
      const position = name.indexOf(part, start);
      if (position < 0 || position + part.length > end) return false;
      start = position + part.length;
    }
    return true;
  };
}
