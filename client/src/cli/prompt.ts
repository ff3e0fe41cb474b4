import { createInterface } from 'node:readline/promises';

/** Reads a password without echo. Ctrl-C rejects. */
export function askSecretly(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // Disable echo before the prompt appears.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  stderr.write(question);
  return new Promise((resolve, reject) => {
    let word = '';
    const end = () => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const take = (chunk: string) => {
      for (const char of chunk) {
        if (char === '\r' || char === '\n' || char === '\u0004') {
          end();
          return resolve(word);
        }
        if (char === '\u0003') {
          end();
          return reject(new Error('Interrupted'));
        }
        word = char === '\u007f' || char === '\b' ? [...word].slice(0, -1).join('') : word + char;
      }
    };
    stdin.on('data', take);
  });
}

export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
