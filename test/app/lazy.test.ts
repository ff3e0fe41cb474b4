import { expect } from 'chai';
import { lazy } from '../../src/app/lazy.ts';

interface Greeter {
  greet(name: string, times?: number): Promise<string>;
  fail(): Promise<void>;
}

class Loaded implements Greeter {
  readonly #word: string;
  constructor(word: string) {
    this.#word = word;
  }
  async greet(name: string, times = 1): Promise<string> {
    return `${this.#word} ${name}`.repeat(times);
  }
  async fail(): Promise<void> {
    throw new Error('its own');
  }
}

describe('lazy ports', () => {
  it('load at a call, not before, and at each call anew: what is set meanwhile counts', async () => {
    let loads = 0;
    let word = 'hello';
    const port = lazy<Greeter>(async () => {
      loads += 1;
      return new Loaded(word);
    });
    const { greet } = port;
    expect(loads).to.equal(0);
    expect(await port.greet('you')).to.equal('hello you');
    word = 'good evening';
    expect(await greet('you')).to.equal('good evening you');
    expect(loads).to.equal(2);
  });

  it('pass on all arguments, and the port as `this`', async () => {
    expect(await lazy<Greeter>(async () => new Loaded('a')).greet('b', 2)).to.equal('a ba b');
  });

  it('reject, and never throw, when the adapter cannot be loaded or fails', async () => {
    const broken = lazy<Greeter>(() => {
      throw new Error('no library');
    });
    const call = broken.greet('you');
    expect((await call.catch((error) => error)).message).to.equal('no library');
    const failing = lazy<Greeter>(async () => new Loaded('a')).fail();
    expect((await failing.catch((error) => error)).message).to.equal('its own');
  });
});
