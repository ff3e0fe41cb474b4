import { isObject } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Passage } from '../../ports/cloud/passages.ts';
import { AWS_PEERS } from './clients.ts';

/**
 * Passages of an answer, which may be anything: the SDK does not check types. What is no passage is left out.
 * @throws OutboundError `upstream_error` without any, unless the list is empty
 */
export function toPassages(results: unknown): Passage[] {
  if (!Array.isArray(results)) throw notPassages();
  const passages = results.filter((result) => isObject(result));
  if (passages.length === 0 && results.length > 0) throw notPassages();
  return passages.map(toPassage);
}

function toPassage(result: Readonly<Record<string, unknown>>): Passage {
  const { content, location, score, metadata, documentId } = result;
  return {
    ...(typeof documentId === 'string' ? { id: documentId } : {}),
    text: textOf(isObject(content) ? content : {}),
    ...(typeof score === 'number' && Number.isFinite(score) ? { score } : {}),
    source: isObject(location) ? sourceOf(location) : {},
    metadata: isObject(metadata) ? metadata : {},
  };
}

const notPassages = () =>
  new OutboundError('upstream_error', `${AWS_PEERS.bedrock_agent_runtime} answered without a list of passages`);

/** A row of a database has its columns as lines; of sounds and films there is a text beside the file. */
function textOf({ text, row, audio, video }: Readonly<Record<string, unknown>>): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  const spoken = [isObject(audio) ? audio.transcription : undefined, isObject(video) ? video.summary : undefined];
  const texts = spoken.filter((words) => typeof words === 'string' && words !== '');
  if (texts.length > 0) return texts.join('\n');
  const columns = Array.isArray(row) ? row.filter(isObject) : [];
  return columns.map(({ columnName, columnValue }) => `${columnName}: ${columnValue ?? ''}`).join('\n');
}

/** Each kind of location has a member of its own, such as `s3Location`; kinds that are added later are read the same way. */
function sourceOf({ type, ...places }: Readonly<Record<string, unknown>>): Passage['source'] {
  const place = Object.values(places).find(isObject);
  const uri = [place?.uri, place?.url, place?.id, place?.query].find((value) => typeof value === 'string');
  return {
    ...(typeof type === 'string' ? { type: type.toLowerCase() } : {}),
    ...(typeof uri === 'string' ? { uri } : {}),
  };
}
