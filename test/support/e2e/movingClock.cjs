// Loaded into the platform and everything below it (NODE_OPTIONS): drivers and commands see a clock that a test moves forward.
// The platform itself keeps the real one. Both clocks are moved: the time of day, and the one that only goes forward. A command
// that sleeps wakes when its time has come by the moved clock; timers of drivers are real, and with them their time limits.
const { readFileSync } = require('node:fs');

const file = process.env.ML_TEST_CLOCK;
const isOurs = /\/(ml_rest|ml_gateway|command)\.mjs$/.test(process.argv[1] ?? '');

if (file && isOurs) {
  const Real = globalThis.Date;
  const hrtime = process.hrtime.bigint;
  let ahead = 0;
  let readAt = 0n;
  // How far ahead, in ms; looked up again every few milliseconds.
  const offset = () => {
    const now = hrtime();
    if (now - readAt > 5_000_000n) {
      readAt = now;
      try {
        ahead = Number(readFileSync(file, 'utf8')) || 0;
      } catch {
        // Nobody has moved it yet.
      }
    }
    return ahead;
  };
  const now = () => Real.now() + offset();
  globalThis.Date = new Proxy(Real, {
    apply: (target) => new target(now()).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  Real.prototype.constructor = globalThis.Date;
  process.hrtime.bigint = () => hrtime() + BigInt(Math.round(offset() * 1e6));
  if (process.argv[2] === 'agentstatus') wakeByIt(now);
}

function wakeByIt(now) {
  const LOOK_MS = 20;
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (done, ms = 0, ...rest) => {
    if (ms <= LOOK_MS) return setTimeout(done, ms, ...rest);
    const until = now() + ms;
    const timer = setInterval(() => {
      if (now() < until) return;
      clearInterval(timer);
      done(...rest);
    }, LOOK_MS);
    return timer;
  };
}
