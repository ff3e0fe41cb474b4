import { contract } from '../../../src/codegen/bundle/live.ts';
import { check } from '../../../src/rest/body.ts';

/**
 * A payload as the handler of a row gets it, once its schema has been held against it.
 * @param rules what is looked at although the schema has refused it
 * @throws Fault `validation_failed`
 */
export async function sent<Body>(id: string, payload: object, rules?: (body: Body) => unknown): Promise<Body> {
  const row = contract.rows.find((each) => each.id === id);
  if (!row) throw new Error(`no row ${id}`);
  const request = {
    method: row.method,
    path: '',
    query: [],
    headers: [],
    body: Buffer.from(JSON.stringify({ payload })),
    sessionToken: undefined,
    systemToken: undefined,
    serverUri: '',
  };
  const loaded = { checks: await row.checks(), handler: rules ? { rules } : {}, misnamed: [] };
  const { body } = await check({ row, params: {} }, loaded, request);
  return body as Body;
}
