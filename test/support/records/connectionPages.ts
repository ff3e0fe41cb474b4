import { expect } from 'chai';
import type { TestPlatform } from '../e2e/platform.ts';
import type { Visit } from '../programs/browser.ts';

/** `Copy 0` and so on: one is made by the app, the others are its copies. The last but one is the newest. */
export async function fillConnections(platform: TestPlatform, count: number): Promise<void> {
  const body = { name: 'Copy 0', type: 'PLATFORM', details: { url: 'http://127.0.0.1:9/mcp' } };
  expect((await platform.ml('admin', 'POST', '/mcp_connection', body)).status).to.equal(200);
  const [one] = await platform.documents('ml_mcp_connections');
  const copies = Array.from({ length: count - 1 }, (_, index) => {
    const n = index + 1;
    const last_updated_at = Number(one?.created_at) + (n === count - 2 ? count + 1 : n);
    return { ...one, _key: `copy ${n}`, name: `Copy ${n}`, last_updated_at };
  });
  await platform.putDocuments('ml_mcp_connections', copies);
}

/** Milliseconds from the address of the connections to a text in them: the first row, or the news that there is none. */
export async function untilShown({ page }: Visit, platform: TestPlatform, text: string): Promise<number> {
  const began = performance.now();
  await page.goto(`${platform.web}/en-US/app/ml_extension/connections`);
  await page.getByText(text, { exact: true }).first().waitFor();
  return performance.now() - began;
}
