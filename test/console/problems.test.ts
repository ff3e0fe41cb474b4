import { expect } from 'chai';
import { MlExtensionError, TransportError } from '../../client/src/index.ts';

interface Described {
  message: string;
  code?: string;
  remedy?: string;
  mayBeDone: boolean;
  isPassing: boolean;
}

const CALLING = { operation: 'createMcpConnection', tries: 1, wasSent: false } as const;
const refusal = (more: object) =>
  new MlExtensionError(
    CALLING,
    503,
    { status: 'fail', message: 'm', error_code: 'store_unavailable', request_id: 'r', messages: [], ...more },
    undefined,
  );

describe('failures as the pages show them', () => {
  const globals = globalThis as { window?: object; location?: object };
  // The types of the pages are compiled separately.
  const load = (path: string) => import(new URL(`../../console/${path}`, import.meta.url).href);
  let PlatformError: new (status: number, message: string) => Error;
  let describeError: (error: unknown) => Described;

  before(async () => {
    globals.location = { origin: 'http://localhost:8000' };
    globals.window = { location: globals.location };
    ({ PlatformError } = await load('api/platform.ts'));
    ({ describeError } = await load('api/problems.ts'));
  });
  after(() => {
    delete globals.window;
    delete globals.location;
  });

  it('pass by themselves where the platform is busy, and nothing was done', () => {
    const busy = { message: 'The platform has too many calls under way.', isPassing: true, mayBeDone: false };
    expect(describeError(new TransportError(CALLING, 'busy', 'm', { status: 429 }))).to.include(busy);
    expect(describeError(new PlatformError(429, 'm'))).to.include(busy);
  });

  it('stay where the app says that a repetition does not help', () => {
    expect(describeError(refusal({ reason: 'kvstore_starting', retry_after: 10 })).isPassing).to.equal(true);
    expect(describeError(refusal({})).isPassing).to.equal(true);
    const disabled = describeError(refusal({ reason: 'kvstore_disabled', should_retry: false, remedy: 'Enable it.' }));
    expect(disabled).to.include({
      isPassing: false,
      code: 'store_unavailable: kvstore_disabled',
      remedy: 'Enable it.',
    });
  });
});
