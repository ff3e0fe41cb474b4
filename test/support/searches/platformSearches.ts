import type {
  ListTerms,
  LookupKind,
  PlatformList,
  PlatformMacro,
  PlatformPlace,
  PlatformRows,
  PlatformSearch,
  PlatformSearches,
} from '../../../src/ports/platform/platformSearches.ts';
import type { Upstream } from '../../../src/ports/platform/upstream.ts';

export const ROWS: PlatformRows = {
  sid: '1.7',
  fields: ['host', 'count'],
  rows: [
    { host: 'web-1', count: '12' },
    { host: 'web-2', count: '3' },
  ],
  total: 2,
  isPartial: false,
  earliest: '2026-01-01T00:00:00.000+00:00',
  latest: '2026-01-02T00:00:00.000+00:00',
  messages: [],
};

/** Searches that are answered as a test says. */
export class FakePlatformSearches implements PlatformSearches {
  readonly ran: ({ user: string } & PlatformSearch)[] = [];
  readonly parsed: string[] = [];
  readonly listed: ({ list: PlatformList } & PlatformPlace & ListTerms)[] = [];
  readonly macros = new Map<string, PlatformMacro>();
  readonly kinds = new Map<string, LookupKind>();
  answer: (search: PlatformSearch, user: string, upstream: Upstream) => Promise<PlatformRows> = async () => ROWS;
  /** What the parser says; undefined where it cannot be asked. */
  parse: (search: string) => Promise<string[] | undefined> = async () => undefined;
  lists: (list: PlatformList, user: string) => Promise<PlatformRows> = async () => ({
    ...{ fields: ['name'], rows: [{ name: 'main' }], total: 1, isPartial: false, messages: [] },
  });

  async run(user: string, search: PlatformSearch, upstream: Upstream): Promise<PlatformRows> {
    this.ran.push({ user, ...search });
    return this.answer(search, user, upstream);
  }

  async commandsOf(_place: PlatformPlace, search: string): Promise<string[] | undefined> {
    this.parsed.push(search);
    return this.parse(search);
  }

  macro = async (_place: PlatformPlace, name: string, args: number): Promise<PlatformMacro | null> =>
    this.macros.get(args === 0 ? name : `${name}(${args})`) ?? null;

  lookups = async (): Promise<ReadonlyMap<string, LookupKind>> => this.kinds;

  async list(list: PlatformList, place: PlatformPlace, terms: ListTerms): Promise<PlatformRows> {
    this.listed.push({ list, ...place, ...terms });
    return this.lists(list, place.user);
  }
}
