import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, sendJson } from './http.ts';

const RUNBOOKS: Readonly<Record<string, string>> = {
  'disk-full':
    'When a disk is full, empty the spool directory /var/spool first. Then find what fills the disk, and enlarge the volume if nothing can be deleted.',
  'slow-service':
    'When a service answers slowly, look at its database connections. If it hangs, restart it: requests under way are lost.',
  'expired-certificate':
    'When a certificate has expired, request a new one and reload the proxy. No restart is needed.',
  'memory-leak': 'When the memory of a process rises steadily, take a heap dump before you restart it.',
  'login-failures': 'When many logins fail, check whether they come from one address, and block it at the proxy.',
};
const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? []);

/** The calls of an Amazon Bedrock Knowledge Base that the app makes: it describes the base, and finds passages by their words. */
export async function answerRunbooks(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await readJson(request)) as {
    retrievalQuery?: { text?: string };
    retrievalConfiguration?: { vectorSearchConfiguration?: { numberOfResults?: number } };
  };
  if (request.method === 'GET') {
    return sendJson(response, 200, { knowledgeBase: { name: 'Runbooks', status: 'ACTIVE' } });
  }
  const wanted = wordsOf(body.retrievalQuery?.text ?? '');
  const count = body.retrievalConfiguration?.vectorSearchConfiguration?.numberOfResults ?? 5;
  const matches = Object.entries(RUNBOOKS)
    .map(([name, text]) => {
      const common = [...wordsOf(text)].filter((word) => wanted.has(word)).length;
      return { name, text, score: Math.round((common / Math.max(1, wanted.size)) * 100) / 100 };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
  sendJson(response, 200, {
    retrievalResults: matches.map(({ name, text, score }) => ({
      content: { type: 'TEXT', text },
      location: { type: 'S3', s3Location: { uri: `s3://runbooks/${name}.md` } },
      metadata: { team: 'operations' },
      score,
    })),
  });
}
