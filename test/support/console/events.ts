import { expectStatus, type TestPlatform } from '../e2e/platform.ts';

/** Sends an event of the sourcetype `hostile` to the index `main`. */
export async function sendEvent(platform: TestPlatform, text: string): Promise<void> {
  const path = '/services/receivers/simple?index=main&sourcetype=hostile';
  expectStatus(await platform.call('admin', 'POST', path, Buffer.from(text)), 200, 'an event');
}
