import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Macro, SearchView } from '../src/spl/guard.ts';

/** A search of the repository. */
export interface Detection {
  path: string;
  group: string;
  search: string;
}

/** A copy of splunk/security_content, as far as the guard needs it. */
export interface SecurityContent {
  detections: Detection[];
  view: SearchView;
  /** Lookups that searches name and the folder does not define; they count as files. */
  assumedLookups: ReadonlySet<string>;
}

/** Folders with searches and what they are called in the report; the first that fits counts. */
const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:deprecated|removed)\//, 'deprecated'],
  [/^detections\//, 'current detections'],
  [/^baselines\//, 'baselines'],
  [/^investigations\//, 'investigations'],
];

/** Macros of other apps that the searches call. The repository's build makes one that filters nothing for each `<name>_filter`. */
const MACROS_OF_OTHERS: Readonly<Record<string, Macro>> = {
  'drop_dm_object_name(1)': { definition: 'rename $name$.* as *', args: ['name'], isEval: false },
  'security_content_ctime(1)': {
    definition: 'convert timeformat="%Y-%m-%dT%H:%M:%S" ctime($field$)',
    args: ['field'],
    isEval: false,
  },
};
const FILTER: Macro = { definition: 'search *', args: [], isEval: false };

/** Reads the folder: `search:` of detections, macros (YAML and `macros.conf`) and lookups. */
export function readSecurityContent(folder: string): SecurityContent {
  const documents = globSync('{detections,deprecated,removed,baselines,investigations,macros,lookups}/**/*.yml', {
    cwd: folder,
  })
    .sort()
    .map((path) => ({ path, content: parseDocument(join(folder, path)) }));
  const macros = new Map<string, Macro>(Object.entries(MACROS_OF_OTHERS));
  const lookups = new Map<string, 'file' | 'kvstore' | 'external'>();
  for (const { path, content } of documents) {
    if (path.startsWith('macros/')) addMacro(macros, content);
    if (path.startsWith('lookups/')) lookups.set(String(content.name ?? basename(path, '.yml')), lookupKind(content));
  }
  for (const path of globSync('**/macros.conf', { cwd: folder }))
    addConf(macros, readFileSync(join(folder, path), 'utf8'));
  for (const path of globSync('lookups/**/*.csv', { cwd: folder })) lookups.set(basename(path), 'file');
  const assumedLookups = new Set<string>();
  const view: SearchView = {
    macro(name, args) {
      const macro = macros.get(args > 0 ? `${name}(${args})` : name);
      return macro ?? (args === 0 && name.endsWith('_filter') ? FILTER : null);
    },
    lookup(name) {
      const kind = lookups.get(name);
      if (kind === undefined) assumedLookups.add(name);
      return kind ?? 'file';
    },
  };
  return { detections: documents.flatMap(({ path, content }) => asDetection(path, content)), view, assumedLookups };
}

type Document = Record<string, unknown>;

function parseDocument(path: string): Document {
  const content: unknown = parse(readFileSync(path, 'utf8'), { logLevel: 'silent' });
  return typeof content === 'object' && content !== null ? (content as Document) : {};
}

function asDetection(path: string, { search }: Document): Detection[] {
  const group = GROUPS.find(([pattern]) => pattern.test(path))?.[1];
  return group !== undefined && typeof search === 'string' ? [{ path, group, search }] : [];
}

function addMacro(macros: Map<string, Macro>, { name, definition, arguments: args }: Document): void {
  if (typeof name !== 'string' || typeof definition !== 'string') return;
  const names = Array.isArray(args) ? args.map(String) : [];
  const plain = name.replace(/\(\d+\)$/, '');
  macros.set(names.length > 0 ? `${plain}(${names.length})` : plain, { definition, args: names, isEval: false });
}

/** Stanzas of `macros.conf`; a backslash at the end of a line continues it. */
function addConf(macros: Map<string, Macro>, text: string): void {
  const macro = { definition: '', args: [] as string[], isEval: false };
  let current = macro;
  for (const line of text.replace(/\\\r?\n/g, '\n').split(/\n(?=\[|\w+\s*=)/)) {
    const [, stanza] = /^\[([^\]\n]+)\]/.exec(line) ?? [];
    if (stanza !== undefined) {
      current = { ...macro };
      macros.set(stanza.trim(), current);
    }
    const [, key, value = ''] = /^(\w+)\s*=\s*([\s\S]*)/.exec(line) ?? [];
    if (key === 'definition') current.definition = value.trim();
    if (key === 'args') current.args = value.split(',').map((name) => name.trim());
    if (key === 'iseval') current.isEval = /^(?:1|t|true)$/i.test(value.trim());
  }
}

function lookupKind({ collection, lookup_type, external_cmd }: Document): 'file' | 'kvstore' | 'external' {
  if (external_cmd !== undefined || lookup_type === 'external') return 'external';
  return collection !== undefined || lookup_type === 'kvstore' ? 'kvstore' : 'file';
}
