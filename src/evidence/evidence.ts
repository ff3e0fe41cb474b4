import type { EvidenceEntity, EvidenceSource } from '../contract/families/evidence.ts';
import type { Evidence, EvidenceRequest, EvidenceStep } from '../ports/platform/evidenceChecker.ts';
import { AnswerReader } from './claims/answerReader.ts';
import type { Claim } from './claims/claim.ts';
import { AnswerContext } from './claims/context.ts';
import { derivedFrom } from './claims/derived.ts';
import { type Outcome, settled } from './claims/settle.ts';
import { DataReader, type SourceData } from './index/dataReader.ts';
import { type Hits, Lookups } from './index/hits.ts';
import { NumberTargets } from './index/numberHits.ts';
import { TimeTargets } from './index/timeHits.ts';
import { decoded, type PlainText } from './reading/decoded.ts';
import { scan } from './reading/scan.ts';
import { isEmptyResult } from './values/empty.ts';
import { readText, readValue } from './values/results.ts';

export type { EvidenceEntity } from '../contract/families/evidence.ts';
export type { Evidence, EvidenceRequest, EvidenceStep } from '../ports/platform/evidenceChecker.ts';

const MOST_ENTITIES = 200;
const MOST_CHARACTERS = 256;
const CUT = 'may stand in the part that was cut';

/**
 * Looks up each address, host, user, hash, number and the like of an answer in the input of its run and in the results of its steps.
 * What is not in them is `unverified`; what is, was found there, which does not make it true. The same request has the same result.
 */
export function checkEvidence(request: EvidenceRequest): Evidence {
  const { output, steps } = request;
  const answer = decoded(output, { isMarkdown: true, withPlaces: true });
  const wanted = new Lookups();
  const own = steps.flatMap(({ input, runId }) => (input === undefined || runId !== undefined ? [] : [input]));
  const reader = new AnswerReader(answer.text, new AnswerContext(answer.text, own), wanted);
  scan(answer.text, reader);
  const sources = reader.claims.length === 0 ? [] : readSources(request, reader.claims, wanted);
  const derived = derivedFrom(reader.claims, sources, request.startedAt);
  const outcomes = distinct(reader.claims.flatMap((claim) => settled(claim, derived)));
  const isCut = steps.some((step) => step.isCut);
  const entities = outcomes.map((outcome) => entityOf(outcome, output, answer, steps, isCut));
  const count = (status: EvidenceEntity['status']) => entities.filter((entity) => entity.status === status).length;
  const isUnverified = (entity: EvidenceEntity) => entity.status === 'unverified';
  return {
    checked: entities.length,
    backed: count('backed'),
    derived: count('derived'),
    unverified: count('unverified'),
    entities: [...entities.filter(isUnverified), ...entities.filter((entity) => !isUnverified(entity))].slice(
      0,
      MOST_ENTITIES,
    ),
  };
}

/** Reads the input and each result with content once. */
function readSources(
  { input, steps, startedAt, timeZone }: EvidenceRequest,
  claims: readonly Claim[],
  wanted: Lookups,
): SourceData[] {
  const numbers = claims.flatMap((claim) => (claim.type === 'number' ? [claim, ...claim.parts] : []));
  const numberTargets = new NumberTargets(numbers.map(({ number }) => number));
  const times = claims.flatMap((claim) => (claim.type === 'time' ? [claim.time] : []));
  const timeTargets = new TimeTargets(times, startedAt, timeZone);
  const sources: SourceData[] = [];
  const readerOf = (source: number): DataReader => {
    const reader = new DataReader(source, wanted, numberTargets, timeTargets);
    sources.push(reader.data);
    return reader;
  };
  if (typeof input === 'string') readText(input, readerOf(0));
  else readValue(input, readerOf(0));
  for (const [index, step] of steps.entries()) {
    if (!isEmptyResult(step.output, step.input)) readText(step.output, readerOf(index + 1));
  }
  return sources;
}

/** Repeats in other spellings count once; in headings nothing is unverified. */
function distinct(outcomes: readonly Outcome[]): Outcome[] {
  const keys = new Set<string>();
  return outcomes.filter(({ claim, kind, status }) => {
    const key = `${kind} ${claim.key}`;
    if (keys.has(key) || (claim.isQuiet && status === 'unverified')) return false;
    keys.add(key);
    return true;
  });
}

function entityOf(
  { claim, kind, status, hits, why }: Outcome,
  output: string,
  answer: PlainText,
  steps: readonly EvidenceStep[],
  isCut: boolean,
): EvidenceEntity {
  const start = answer.starts?.[claim.start] ?? claim.start;
  const end = answer.ends?.[claim.end - 1] ?? claim.end;
  const reason = why ?? (status === 'unverified' && isCut ? CUT : undefined);
  return {
    text: output.slice(start, Math.min(end, start + MOST_CHARACTERS)),
    kind,
    status,
    by: sourcesOf(hits, steps),
    ...(reason === undefined ? {} : { why: reason }),
  };
}

function sourcesOf(hits: Hits, steps: readonly EvidenceStep[]): EvidenceSource[] {
  return [...hits]
    .sort(([first], [second]) => first - second)
    .map(([source, field]) => {
      const named = field === undefined ? {} : { field };
      const step = steps[source - 1];
      if (!step) return { input: true, ...named };
      const place = step.runId === undefined ? { step: step.index } : { run_id: step.runId, step: step.index };
      return { ...place, ...named };
    });
}
