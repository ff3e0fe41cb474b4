import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { createEvidenceChecker } from '../../../src/adapters/evidence/evidenceChecker.ts';
import { evidenceChecker } from '../../../src/app/gateway/evidenceChecker.ts';
import { checkEvidence, type EvidenceRequest } from '../../../src/evidence/evidence.ts';
import { builtApp } from '../../support/e2e/build.ts';

const request = (output: string, result: string): EvidenceRequest => ({
  output,
  input: { question: 'Which host?' },
  steps: [{ index: 1, name: 'search', input: '{}', output: result, isCut: false }],
  startedAt: 1_795_521_600,
});
const LONG = `192.0.2.7 ${'x '.repeat(40_000)}`;

describe('the checker of evidence', () => {
  const small = request('192.0.2.7 and 192.0.2.8', '192.0.2.7');

  it('says the same in a thread as here', async () => {
    const checker = evidenceChecker();
    const large = request('192.0.2.7 and 192.0.2.8', LONG);
    expect(await checker.check(large)).to.deep.equal(checkEvidence(large));
    expect(await checker.check(small)).to.deep.equal(checkEvidence(small));
  });

  it('says the same in the thread of the built app', async () => {
    const checker = createEvidenceChecker(pathToFileURL(join(builtApp(), 'bin/lib/evidence.mjs')));
    const large = request('192.0.2.7 and 192.0.2.8', LONG);
    const evidence = await checker.check(large);
    expect(evidence).to.include({ checked: 2, backed: 1, unverified: 1 }).and.to.deep.equal(checkEvidence(large));
  });

  it('starts no thread for a small request', async () => {
    const checker = createEvidenceChecker(new URL('./missing.ts', import.meta.url));
    expect(await checker.check(small)).to.include({ checked: 2, backed: 1, unverified: 1 });
  });

  it('ends a check that takes too long, and goes on', async () => {
    const checker = createEvidenceChecker(new URL('./slowProgram.ts', import.meta.url));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const beats = join(mkdtempSync(join(tmpdir(), 'ml-evidence-')), 'beats');
    const [slow, next] = await Promise.all([
      checker.check({ ...request('forever', LONG), input: beats }),
      checker.check(request('192.0.2.7', LONG)),
    ]);
    clearInterval(timer);
    expect(slow).to.deep.equal({ error_code: 'timeout' });
    expect(next).to.include({ checked: 1, backed: 1 });
    expect(turns).to.be.greaterThan(5);
    const last = readFileSync(beats, 'utf8');
    await pause(300);
    expect(readFileSync(beats, 'utf8'), 'the thread is gone').to.equal(last);
  });

  it('says timeout where the thread fails', async () => {
    const checker = createEvidenceChecker(new URL('./slowProgram.ts', import.meta.url));
    expect(await checker.check(request('fail', LONG))).to.deep.equal({ error_code: 'timeout' });
    expect(await checker.check(request('192.0.2.7', LONG))).to.include({ backed: 1 });
  });
});
