import type { Json } from '../../contract/basics.ts';
import type { InternalCalls } from '../../contract/rows/internalCalls.ts';
import { foldedName, pagesOf, type Reading, type RecordCodec } from '../../resources/recordCodec.ts';
import { EXPERIMENTS } from './constants.ts';

/** Experiments with the same title are numbered by age. */
const numbered = (title: string, number: number): string => (number === 1 ? title : `${title} #${number}`);
const ID = /^[0-9a-f]{32}$/i;

export const experimentCodec: RecordCodec = {
  family: 'experiments',
  rank: 1,
  rows: { read: 'getExperiment', create: 'createExperiment', update: 'updateExperiment' },
  collection: EXPERIMENTS,
  keyOf: (id) => id,
  hasAcl: true,
  namesOf,
  identityOf: foldedName,
  orderOf: (name) => name.replace(/ #(\d{1,9})$/, (_, number: string) => ` #${number.padStart(9, '0')}`),
  matchesName(name, { title }) {
    if (typeof title !== 'string') return true;
    const [folded, foldedTitle] = [foldedName(name), foldedName(title)];
    return (
      folded === foldedTitle ||
      (folded.startsWith(`${foldedTitle} #`) && /^[1-9]\d*$/.test(folded.slice(foldedTitle.length + 2)))
    );
  },
  all: ({ calls }) => uniqueExperiments(calls, { detail: 'true', sort_key: 'created_at' }),
  ids,
  readCall: (id) => (ID.test(id) ? { params: { experiment_id: id } } : undefined),
  updateCall: (experiment_id) => ({ params: { experiment_id } }),
  mergedFields: ['data_source', 'schedule', 'statistics'],
  defaults: { status: 'draft', 'data_source.type': 'search', 'schedule.enabled': true },
};

/** Concurrent writes can put an experiment on two pages, which would look like two of one title. */
async function* uniqueExperiments(calls: InternalCalls, query: Record<string, string>): AsyncGenerator<Json> {
  const seen = new Set<unknown>();
  for await (const experiment of pagesOf(calls, 'listExperiments', { query })) {
    if (!seen.has(experiment.experiment_id)) yield experiment;
    seen.add(experiment.experiment_id);
  }
}

/** Ids differ between sites and titles can repeat, so a document identifies experiments by numbered titles. */
function namesOf(experiments: readonly Json[]): string[] {
  const order = experiments
    .map((experiment, index) => ({ experiment, index }))
    .sort((a, b) => (isOlder(a.experiment, b.experiment) ? -1 : 1));
  // Plain titles take precedence over numbered ones.
  const taken = new Set<string>();
  const names: string[] = [];
  const waiting: typeof order = [];
  for (const one of order) {
    const title = String(one.experiment.title);
    if (taken.has(foldedName(title))) waiting.push(one);
    else {
      taken.add(foldedName(title));
      names[one.index] = title;
    }
  }
  for (const { experiment, index } of waiting) {
    const title = String(experiment.title);
    let number = 2;
    while (taken.has(foldedName(numbered(title, number)))) number += 1;
    taken.add(foldedName(numbered(title, number)));
    names[index] = numbered(title, number);
  }
  return names;
}

function isOlder(a: Json, b: Json): boolean {
  if (a.created_at !== b.created_at) return Number(a.created_at) < Number(b.created_at);
  return String(a.experiment_id) < String(b.experiment_id);
}

async function ids({ calls }: Reading): Promise<(name: string) => string | undefined> {
  const all: Json[] = [];
  for await (const { title, created_at, experiment_id } of uniqueExperiments(calls, { sort_key: 'created_at' }))
    all.push({ title, created_at, experiment_id });
  const names = namesOf(all);
  const known = new Map(all.map(({ experiment_id }, index) => [foldedName(names[index] ?? ''), String(experiment_id)]));
  return (name) => known.get(foldedName(name));
}
