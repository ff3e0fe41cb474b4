/** A file or a pasted text, as it is sent. */
export interface TextDocument {
  id: string;
  text: string;
}

/** Why a document was not written. */
export interface FailedDocument {
  id: string;
  message: string;
}

const MOST_CHARACTERS = 1_000_000;
const LONGEST_ID = 256;
/** Sizes of a request at most, with room for its other fields. */
const MOST_BYTES = 4 * 1024 * 1024 - 4096;
/** The proxy ends calls after 30 seconds, and all of a request has to be embedded in this time. */
const USUAL_BYTES = 128 * 1024;
const MOST_DOCUMENTS = 50;

const encoder = new TextEncoder();

/** Bytes of a document within a request. */
const bytesOf = (document: TextDocument): number => encoder.encode(JSON.stringify(document)).length + 1;

/** Divides documents into requests; a large one has its own. */
export function divide(documents: readonly TextDocument[]): TextDocument[][] {
  const requests: TextDocument[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    const more = bytesOf(document);
    const last = requests.at(-1);
    if (last && bytes + more <= USUAL_BYTES && last.length < MOST_DOCUMENTS) {
      last.push(document);
      bytes += more;
    } else {
      requests.push([document]);
      bytes = more;
    }
  }
  return requests;
}

/** @returns why the app would refuse the document, or undefined */
function problemOf(document: TextDocument): string | undefined {
  const { id, text } = document;
  if (id.length > LONGEST_ID) return `The name has more than ${LONGEST_ID} characters`;
  if (text.trim() === '') return 'The file is empty';
  if (text.includes('\0')) return 'The file is no text';
  if (text.length > MOST_CHARACTERS) return 'The text has more than 1,000,000 characters: divide the file';
  return bytesOf(document) > MOST_BYTES ? 'The text has more than 4 MB: divide the file' : undefined;
}

/** @throws TypeError if the bytes are no text in UTF-8 */
const textOf = (bytes: ArrayBuffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Reads files as documents with their names as ids. */
export async function readFiles(
  files: readonly File[],
): Promise<{ documents: TextDocument[]; failed: FailedDocument[] }> {
  const documents: TextDocument[] = [];
  const failed: FailedDocument[] = [];
  const names = new Set<string>();
  for (const file of files) {
    const { name: id } = file;
    const message = names.has(id) ? 'Another file has the same name' : await read(file, documents);
    names.add(id);
    if (message !== undefined) failed.push({ id, message });
  }
  return { documents, failed };
}

async function read(file: File, documents: TextDocument[]): Promise<string | undefined> {
  // Larger files are not worth reading.
  if (file.size > MOST_BYTES) return 'The file has more than 4 MB: divide it';
  try {
    const document = { id: file.name, text: textOf(await file.arrayBuffer()) };
    const problem = problemOf(document);
    if (problem === undefined) documents.push(document);
    return problem;
  } catch (error) {
    return error instanceof TypeError ? 'The file is no text in UTF-8' : 'The file cannot be read';
  }
}
