import { certificateProblem } from '../../../domain/net/certificates.ts';
import { isHost } from '../../../domain/net/hosts.ts';
import { unmasked } from '../../../masking/checkedBody.ts';
import type { SqlAccess } from '../../../ports/knowledge/sqlServers.ts';
import type { Target } from '../../../resources/target.ts';
import { catalogueOf, savedCatalogue } from './documentList.ts';
import { embeddingTerms, PASSAGE_DEFAULTS, PASSAGE_SIZES, passageProblems } from './embedding.ts';
import type { StoreKind, StoreOf } from './kind.ts';
import { detailProblems, textOf } from './logins.ts';
import { probeQuery } from './probe.ts';

type PgStore = StoreOf<'PGVECTOR'>;

const DEFAULT_PORT = 5432;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose.
const CONTROL = /[\u0000-\u001f\u007f]/;
const NAMES = [
  'database',
  'table',
  'username',
  'id_column',
  'text_column',
  'vector_column',
  'metadata_column',
] as const;

/** `PGVECTOR`: a table of PostgreSQL with pgvector. */
export const pgVector: StoreKind<PgStore> = {
  required: ['host', 'database', 'table', 'username', 'id_column', 'text_column', 'vector_column', 'embedding_model'],
  optional: ['port', 'password', 'ssl', 'ca_certificate', 'metadata_column', ...PASSAGE_SIZES],
  defaults: { ...PASSAGE_DEFAULTS, port: DEFAULT_PORT, ssl: 'verify' },
  addresses: ({ host, port = DEFAULT_PORT, ssl }) => ({
    'details.host, details.port or details.ssl': `${ssl === 'off' ? 'http' : 'https'}://${bracketed(host)}:${port}`,
  }),
  trust: ({ ssl = 'verify', ca_certificate: ca }) => ({
    'details.ssl or details.ca_certificate': { verify: ssl === 'verify', ca },
  }),
  problems: (details) => [
    ...detailProblems({
      host: isHost(textOf(details.host) ?? 'localhost') ? undefined : 'must be a host name or an IP address',
      ...Object.fromEntries(
        NAMES.map((field) => [
          field,
          CONTROL.test(textOf(details[field]) ?? '') ? 'must not contain control characters' : undefined,
        ]),
      ),
      ca_certificate: certificateProblem(textOf(details.ca_certificate)),
    }),
    ...passageProblems(details),
  ],
  embedding: embeddingTerms,
  /** Reads the columns and searches, with a vector of ours: nobody has masked the text of a test. */
  async test(target, { sqlServers }, query, deadline, run) {
    const { details } = target.record;
    const access = accessOf(target);
    let dimensions: number | undefined;
    await run.step('get_knowledge_base', true, async () => {
      const { describeTable, lengthOfVectors } = await import('../pgVector/table.ts');
      dimensions = await sqlServers.connected(access, deadline, async (session) =>
        lengthOfVectors(session, await describeTable(session, details)),
      );
    });
    await run.step('retrieve', query !== undefined, async () => {
      const { searchTable } = await import('../pgVector/search.ts');
      const probe = unmasked(probeQuery(dimensions));
      await sqlServers.connected(access, deadline, (session) => searchTable(session, details, probe));
    });
    return {};
  },
  search(target, deps) {
    return async (query, upstream) => {
      const { withDocumentIds } = await import('../external/documentIds.ts');
      const { searchTable } = await import('../pgVector/search.ts');
      const passages = await deps.sqlServers.connected(accessOf(target), upstream, (session) =>
        searchTable(session, target.record.details, query),
      );
      return withDocumentIds(catalogueOf(deps, target, pgVector), passages);
    };
  },
  place: ({ host, port = DEFAULT_PORT, database, table, id_column }) =>
    JSON.stringify([host.toLowerCase(), port, database, table, id_column]),
  documents(target, deps) {
    const { sqlServers } = deps;
    const { details } = target.record;
    const catalogue = savedCatalogue(catalogueOf(deps, target, pgVector));
    return {
      async replace(documents, upstream) {
        const { replaceDocuments } = await import('../external/storeDocuments.ts');
        const { openTable } = await import('../pgVector/passageTable.ts');
        return sqlServers.connected(accessOf(target), upstream, async (session) =>
          replaceDocuments(catalogue, details, await openTable(session, details), documents),
        );
      },
      async remove(ids, upstream) {
        const { removeDocuments } = await import('../external/storeDocuments.ts');
        const { openTable } = await import('../pgVector/passageTable.ts');
        return sqlServers.connected(accessOf(target), upstream, async (session) =>
          removeDocuments(catalogue, await openTable(session, details), ids),
        );
      },
    };
  },
};

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

function accessOf({ record: { details }, secrets, hidden }: Target<PgStore>): SqlAccess {
  const { host, port = DEFAULT_PORT, database, username, ssl = 'verify', ca_certificate: caCertificate } = details;
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    ...{ port, database, username, tls: ssl, caCertificate },
    password: secrets['details/password'],
    secrets: hidden,
  };
}
