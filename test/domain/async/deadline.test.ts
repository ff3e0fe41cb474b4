import { expect } from 'chai';
import { startDeadline, within } from '../../../src/domain/async/deadline.ts';
import { read, sources } from '../../architecture/sources.ts';
import { eventually } from '../../support/time.ts';

describe('deadlines', () => {
  it('abort with a TimeoutError and count down to zero', async () => {
    using deadline = startDeadline(300);
    expect(deadline.remaining()).to.be.within(1, 300);
    await eventually(() => deadline.signal.aborted, 10_000, 'the end of the deadline');
    expect(deadline.remaining()).to.equal(0);
    expect(deadline.signal.reason).to.have.property('name', 'TimeoutError');
  });

  it('count by the clock they are given', () => {
    let now = 1000;
    using deadline = startDeadline(500, { now: () => now });
    now = 1200;
    expect(deadline.remaining()).to.equal(300);
    now = 9999;
    expect(deadline.remaining()).to.equal(0);
  });

  it('never abort once disposed', async () => {
    const deadline = startDeadline(10);
    deadline[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(deadline.signal.aborted).to.equal(false);
  });

  it('are tightened and not widened by within', async () => {
    using outer = startDeadline(1000);
    using tight = within(outer, 15);
    using wide = within(outer, 60_000);
    expect(wide.remaining()).to.be.at.most(1000);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(tight.signal.aborted).to.equal(true);
    expect(outer.signal.aborted).to.equal(false);
  });

  it('have passed when one within them passes that was given more time', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      using outer = startDeadline(20);
      using inner = within(outer, 60_000);
      await new Promise((resolve) => inner.signal.addEventListener('abort', resolve));
      expect([outer.signal.aborted, outer.remaining()], `turn ${turn}`).to.deep.equal([true, 0]);
    }
  });

  // `using` ends a deadline or a session when the function returns: a promise that is returned without `await` would never time out.
  it('last until the work of their function is done', () => {
    expect(early('f() {\n  using own = start();\n  return (\n    work(own)\n  );\n}')).to.deep.equal([
      'return (\n    work(own)\n  );',
    ]);
    const fine =
      '  return await work(own);\n  each(() => {\n    return work(own);\n  });\n}\ng(own) {\n  return work(own);\n}';
    expect(early(`f() {\n  using own = start();\n${fine}`)).to.deep.equal([]);
    expect(sources().flatMap((path) => early(read(path)).map((found) => `${path}: ${found}`))).to.deep.equal([]);
  });
});

/** Statements that return a call of something with what `using` gives up at that moment. */
function early(text: string): string[] {
  return [...text.matchAll(/^( *)using (\w+) = .*\n((?:\1.*\n|\n)*)/gm)].flatMap(([, , name, rest = '']) => {
    const own = rest.replaceAll(/^( *).*=> \{\n(?:\1 .*\n|\n)*\1\}/gm, '');
    const returns = new RegExp(`\\breturn \\(?\\s*[\\w.#]+\\([^()]*\\b${name}\\b[^;]*;`, 'g');
    return [...own.matchAll(returns)].map(([statement]) => statement);
  });
}
