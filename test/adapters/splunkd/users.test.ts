import { expect } from 'chai';
import type { SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { splunkdUsers } from '../../../src/adapters/splunkd/users.ts';
import { faultOf } from '../../support/fault.ts';

describe('users of the platform', () => {
  const asked: string[] = [];
  const usersOf = (status: number) => {
    const call = async ({ endpoint }: { endpoint: string }) => {
      asked.push(endpoint);
      return { status, text: '{}', headers: {} };
    };
    return splunkdUsers({ call } as unknown as SplunkdClient, 'system');
  };

  it('exist, do not exist, or cannot be told', async () => {
    expect(await usersOf(200).exists('anna b@example.com')).to.equal(true);
    expect(asked).to.deep.equal(['authentication/users/anna%20b%40example.com']);
    expect(await usersOf(404).exists('gone')).to.equal(false);
    expect((await faultOf(usersOf(403).exists('anna'))).code).to.equal('store_unavailable');
  });

  it('are not asked for by names that address something else', async () => {
    asked.length = 0;
    for (const name of ['.', '..', 'a/b', 'a\\b', 'a\nb']) expect(await usersOf(200).exists(name)).to.equal(false);
    expect(asked).to.deep.equal([]);
  });
});
