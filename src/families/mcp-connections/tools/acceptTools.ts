import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { MAX_SHOWN_NAME, shortName } from '../../../domain/values/texts.ts';
import type { McpListing } from '../../../ports/mcp/mcpClient.ts';
import type { Target } from '../../../resources/target.ts';
import { isStillAt } from '../calls/testing.ts';
import type { McpConnections } from '../kind.ts';
import type { AcceptedTool, McpStored } from '../records.ts';
import {
  acceptedIn,
  type Comparison,
  firstOfEachName,
  noteListing,
  sweepLater,
  unacceptedIn,
  unflagged,
} from './acceptance.ts';
import { storeDefinitions } from './batches.ts';
import { type ExaminedTool, examine, MAX_DEFINITION_BYTES } from './definitions.ts';

export interface AcceptRequest {
  caller: Caller;
  /** All if undefined. */
  names: readonly string[] | undefined;
  /** Fingerprints of the definitions that a person has seen; undefined if any may be accepted. */
  fingerprints: readonly string[] | undefined;
  /** The version that the caller read. */
  condition: number | undefined;
  /** Receives messages about the tools. */
  warnings: string[];
}

/**
 * Accepts tools as they were just listed.
 * @returns the names of all accepted tools, and of those that still are not
 * @throws Fault `unknown_reference`, `version_conflict`, `acl_denied`, `not_found`
 */
export async function acceptTools(
  connections: McpConnections,
  target: Target<McpStored>,
  saved: McpStored,
  listing: McpListing,
  { caller, condition, ...request }: AcceptRequest,
): Promise<{ accepted: string[]; changed: string[] }> {
  const { sealed, stores } = connections;
  const tools = listing.tools.map(examine);
  const chosen = choose(firstOfEachName(tools), request);
  // A first listing accepts its tools through whichever endpoint it is made.
  const first = saved.acceptance === undefined ? unflagged(tools) : [];
  const entries = await storeDefinitions(stores, saved, [...new Set([...chosen, ...first])], target.hidden);
  const chosenNames = new Set(chosen.map(({ tool }) => tool.name));
  const listed = new Set(tools.map(({ tool }) => tool.name));
  const record = await sealed.update(saved._key, {
    actor: caller.user,
    condition,
    submitted: {},
    guard: (now) => {
      connections.assertMay(caller, 'write', now);
      assertSameServer(now, target, saved);
    },
    // Merged under the lease, so that what others accept at the same time stays accepted.
    next: (now) => {
      const added = entries.filter(({ name }) => now.acceptance === undefined || chosenNames.has(name));
      const addedNames = new Set(added.map(({ name }) => name));
      const isKept = ({ name }: AcceptedTool) =>
        !addedNames.has(name) && (listing.truncated !== undefined || listed.has(name));
      const kept = (now.accepted_tools ?? []).filter(isKept);
      return { ...now, acceptance: stores.newId(), accepted_tools: [...kept, ...added] };
    },
  });
  sweepLater(connections, saved._key);
  const compared: Comparison = { record, tools };
  await noteListing(connections, target, listing, compared);
  return { accepted: acceptedIn(compared), changed: unacceptedIn(compared)?.tools ?? [] };
}

/** The tools to accept. @throws Fault `unknown_reference` */
function choose(
  tools: readonly ExaminedTool[],
  { names, fingerprints, warnings }: Pick<AcceptRequest, 'names' | 'fingerprints' | 'warnings'>,
): ExaminedTool[] {
  const listed = new Set(tools.map(({ tool }) => tool.name));
  const errors = (names ?? []).flatMap((name, index) =>
    listed.has(name) ? [] : [{ field: `tools.${index}`, message: `The server does not offer a tool ${name}` }],
  );
  if (errors.length > 0) {
    const text = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new Fault('unknown_reference', text, { errors });
  }
  const asked = new Set(names ?? listed);
  const reviewed = fingerprints && new Set(fingerprints);
  return tools.filter(({ tool, fingerprint, flags }) => {
    if (!asked.has(tool.name)) return false;
    if (flags.includes('too_large')) {
      const why =
        tool.name.length > MAX_SHOWN_NAME
          ? `its name is longer than ${MAX_SHOWN_NAME} characters`
          : `its definition is larger than ${MAX_DEFINITION_BYTES} bytes`;
      warnings.push(`${shortName(tool.name)} is not accepted: ${why}`);
      return false;
    }
    if (reviewed && !reviewed.has(fingerprint)) {
      warnings.push(
        `${tool.name} is not accepted: the server has changed it since it was listed. List the tools again.`,
      );
      return false;
    }
    if (flags.includes('hidden_characters'))
      warnings.push(`${tool.name} is accepted although its text has characters that are not displayed`);
    return true;
  });
}

/** @throws Fault `version_conflict` */
function assertSameServer(now: McpStored, target: Target<McpStored>, before: McpStored): void {
  const lostAcceptance = before.acceptance !== undefined && now.acceptance === undefined;
  if (now.created_at === before.created_at && isStillAt(now, target) && !lostAcceptance) return;
  throw new Fault('version_conflict', 'The connection was moved while its tools were listed: list them again', {
    current_version: now.version,
  });
}
