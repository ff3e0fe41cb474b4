import { expect } from 'chai';
import {
  type ErrorCode,
  followAgent,
  type Item,
  isFailure,
  type ListingId,
  type McpConnection,
  type MlExtension,
  type OperationId,
  operations,
  type Reply,
} from '../../client/src/index.ts';
import { table } from '../../src/table.ts';
import { json, Peer, refusal, rejection } from './peer.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_ extends true>(): void => undefined;

/** Never called: the compiler checks it, and reports an unused `@ts-expect-error`. */
async function usage(ml: MlExtension, error: unknown): Promise<void> {
  same<Same<Item<'listMcpConnections'>, McpConnection>>();
  same<Same<Extract<ListingId, 'getOpenApi' | 'getHealth' | 'listMcpTools'>, never>>();
  for await (const entry of ml.each('listExperimentHistory', { params: { experiment_id: 'e' } })) {
    same<Same<typeof entry.timestamp, number>>();
    // @ts-expect-error an entry of a history has no name
    entry.name;
  }
  for await (const { name } of ml.each('listAgents')) name.length;
  for await (const connection of ml.each('listConnections', {}, { pageSize: 5 })) connection['Connection Name'];

  // @ts-expect-error not a list
  ml.each('createMcpConnection');
  // @ts-expect-error a list in one piece
  ml.each('listMcpTools', { body: { name: 'n' } });
  // @ts-expect-error the document is no list either
  ml.each('getOpenApi');
  // @ts-expect-error the experiment is missing
  ml.each('listExperimentHistory');
  // @ts-expect-error pages are the iterator's business
  ml.each('listMcpConnections', { query: { count: 5 } });
  // @ts-expect-error answers one record
  ml.each('listMcpConnections', { query: { name: 'n' } });
  // @ts-expect-error a filter of another list
  ml.each('listMcpConnections', { query: { owner: 'o' } });
  // @ts-expect-error the query is required
  ml.call('getRegistration');
  // @ts-expect-error the name is missing
  ml.call('createMcpConnection', { body: { type: 'PLATFORM', details: { url: 'https://x' } } });
  const verified = { body: { name: 'n' }, query: { verify: true } };
  for (const id of ['updateMcpConnection', 'updateVectorStore'] as const) ml.call(id, verified);
  ml.call('registerModel', { body: { model_name: 'm' }, query: { verify: true } });
  // @ts-expect-error not a text
  ml.call('updateMcpConnection', { body: { name: 'n' }, query: { verify: 'true' } });
  // @ts-expect-error there is no test of agents
  ml.call('updateAgent', { body: { name: 'n' }, query: { verify: true } });
  // @ts-expect-error only two things can be followed
  followAgent(ml, 'a', 'update');
  const { config } = await ml.call('getRegistration', { query: { model_name: 'm' } }, { timeoutMs: 5, retries: 0 });
  same<Same<typeof config.batch_size, number>>();
  same<Same<Reply<'getOpenApi'>[string], unknown> extends true ? false : true>();

  if (isFailure(error)) {
    same<Same<typeof error.code, ErrorCode>>();
    // @ts-expect-error no such code
    if (error.code === 'version_conflicts') error.message.length;
  }
  if (isFailure(error, 'version_conflict')) {
    same<Same<typeof error.code, 'version_conflict'>>();
    same<Same<typeof error.body.current_version, number | undefined>>();
  }
  // @ts-expect-error an operation is not a code
  isFailure(error, 'updateMcpConnection');
}

describe('typed client: types', () => {
  it('rejects wrong calls at compile time', () => expect(usage).to.be.a('function'));

  it('iterates over each list of the table', async () => {
    const lists = table.filter((row) =>
      Object.hasOwn((row.reply as { properties?: object }).properties ?? {}, 'pagination'),
    );
    expect(lists.length).to.be.above(9);
    await using peer = await Peer.start((response) => json(response, { status: 'success', result: [{}] }));
    for (const { id } of lists) {
      const params = Object.fromEntries(
        [...operations[id as OperationId].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']),
      );
      const found = peer.client().each(id as 'listContainerConnections', { params } as never);
      expect(await found.next(), id).to.deep.equal({ done: false, value: {} });
    }
  });

  it('recognizes errors of the app by their codes', async () => {
    await using peer = await Peer.start((response, _, number) =>
      number === 1
        ? json(response, refusal('not_found'), 404)
        : json(response, { messages: [{ type: 'WARN', text: 'no' }] }, 401),
    );
    const call = () => peer.client().call('getMcpConnection', { params: { name: 'n' } });
    const [ours, platforms] = [await rejection(call()), await rejection(call())];
    expect([isFailure(ours), isFailure(ours, 'not_found'), isFailure(ours, 'acl_denied')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(isFailure(platforms)).to.equal(false);
    expect(isFailure(new Error('not_found'), 'not_found')).to.equal(false);
  });
});
