import { quoted } from '../../../parts/text/format.ts';

/** The search for the event with the answer of a run, which is as late as the run's end, in any range of the search page. */
export const answerSearch = (
  { run_id, started_at }: { run_id: string; started_at: number },
  { index, sourcetype }: { index: string; sourcetype: string },
): string =>
  `index=${quoted(index)} sourcetype=${quoted(sourcetype)} run_id=${quoted(run_id)} earliest=${Math.floor(started_at)}`;
