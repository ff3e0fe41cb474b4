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
  const experimentIds = new Set<unknown>();
  for await (const experiment of pagesOf(calls, 'listExperiments', { query })) {
    if (!experimentIds.has(experiment.experiment_id)) yield experiment;
    experimentIds.add(experiment.experiment_id);
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
  for (const entry of order) {
    const title = String(entry.experiment.title);
    if (taken.has(foldedName(title))) waiting.push(entry);
    else {
      taken.add(foldedName(title));
      names[entry.index] = title;
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
  const experiments: Json[] = [];
  for await (const { title, created_at, experiment_id } of uniqueExperiments(calls, { sort_key: 'created_at' }))
    experiments.push({ title, created_at, experiment_id });
  const names = namesOf(experiments);
  const idByName = new Map(
    experiments.map(({ experiment_id }, index) => [foldedName(names[index] ?? ''), String(experiment_id)]),
  );
  return (name) => idByName.get(foldedName(name));
}
