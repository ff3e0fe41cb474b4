import { expect } from 'chai';
import { Background } from '../../src/app/dependencies/background.ts';

describe('work after the reply', () => {
  it('begins when the reply is sent, and work of one name runs once', async () => {
    const background = new Background();
    const done: string[] = [];
    for (const name of ['sweep a', 'sweep a', 'sweep b'])
      background.defer(name, async () => {
        done.push(name);
      });
    await new Promise(setImmediate);
    expect(done).to.deep.equal([]);
    background.startDeferred();
    background.startDeferred();
    expect(done).to.deep.equal(['sweep a', 'sweep b']);
  });

  it('is started and awaited before the process ends, but not for ever', async () => {
    const background = new Background();
    let isDone = false;
    background.defer('short', async () => {
      await new Promise(setImmediate);
      isDone = true;
    });
    background.defer('endless', () => new Promise(() => {}));
    await background.drain(20);
    expect(isDone).to.equal(true);
  });
});
