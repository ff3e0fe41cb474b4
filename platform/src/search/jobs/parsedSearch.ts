import { mayAccess } from '../../apps/access.ts';
import type { HostedApp } from '../../apps/hostedApp.ts';
import { PlatformError } from '../../http/reply.ts';
import type { PlatformCaller } from '../../http/request.ts';
import { type CustomCommand, findCommand } from '../commands/catalog.ts';
import { commandCapability, commandKind, mustBeFirst } from '../language/commandTable.ts';
import { expandMacros, type Macro } from '../language/macros.ts';
import { bracketsOf } from '../language/scan.ts';
import { isBuiltin } from '../pipeline/builtins.ts';
import { evalExpression } from '../pipeline/eval.ts';
import { parseNested, parseSearch, type SearchPart } from '../pipeline/spl.ts';
import { newRow } from '../results/rows.ts';

export interface ParserOptions {
  apps(): readonly HostedApp[];
  /** The environment of commands, including SPLUNK_HOME and SPLUNK_DB. */
  env: Readonly<Record<string, string | undefined>>;
  /** A macro as the caller sees it from an app. */
  macro(caller: PlatformCaller, app: string, name: string): Macro | undefined;
}

/** The commands of a search. */
export interface ParsedSearch {
  /** The text with macros expanded and comments removed. */
  text: string;
  parts: SearchPart[];
  /** The programs of apps; undefined for commands of the platform. */
  commands: (CustomCommand | undefined)[];
  /** A command that splunkd has and this platform cannot run, at any depth. */
  unsupported: string | undefined;
}

const refused = (text: string): PlatformError => new PlatformError(400, text, 'FATAL');

/** Commands whose nested search begins with the rows before it. */
const CONTINUED = new Set(['appendpipe', 'foreach']);

/** Parses a search into known commands; throws splunkd's refusals. */
export class SearchParser {
  readonly #options: ParserOptions;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(caller: PlatformCaller, app: string, search: string): ParsedSearch {
    const text = expandMacros(search, {
      find: (name) => this.#options.macro(caller, app, name),
      evaluate: (expression) => evalExpression('eval', expression)(newRow()),
    });
    const parts = parseSearch(text);
    const unsupported: string[] = [];
    const commands = parts.map((part, index) => {
      const command = this.#command(caller, app, part);
      this.#check(part, index === 0, command);
      if (command === undefined && !isBuiltin(part.name)) unsupported.push(part.name);
      this.#checkNested(caller, app, part, unsupported);
      return command;
    });
    return { text: text.trim(), parts, commands, unsupported: unsupported[0] };
  }

  /** The program of a command; undefined if the platform has it. */
  #command(caller: PlatformCaller, app: string, { name }: SearchPart): CustomCommand | undefined {
    const capability = commandCapability(name);
    if (capability !== undefined && !caller.system && !caller.capabilities.has(capability))
      throw refused(
        `You do not have a role with the capability='${capability}' required to run this command='${name}'.`,
      );
    if (isBuiltin(name)) return undefined;
    const command = findCommand(this.#options, app, name, (owner, path) =>
      mayAccess(caller, owner.access(path), 'read'),
    );
    if (command === undefined && commandKind(name) === undefined) throw refused(`Unknown search command '${name}'.`);
    return command;
  }

  #check({ name }: SearchPart, isFirst: boolean, command: CustomCommand | undefined): void {
    if (command !== undefined) return;
    if (isFirst && commandKind(name) !== 'generating')
      throw refused(`Error in '${name}' command: This command cannot be the first of a search.`);
    if (!isFirst && mustBeFirst(name))
      throw refused(`Error in '${name}' command: This command must be the first command of a search.`);
  }

  #checkNested(caller: PlatformCaller, app: string, { name, text }: SearchPart, unsupported: string[]): void {
    for (const { inner } of bracketsOf(text)) {
      for (const [index, part] of parseNested(inner).entries()) {
        const command = this.#command(caller, app, part);
        if (!CONTINUED.has(name) || index > 0) this.#check(part, index === 0, command);
        // Programs of apps run at the top of a search alone.
        if (command !== undefined || !isBuiltin(part.name)) unsupported.push(part.name);
        this.#checkNested(caller, app, part, unsupported);
      }
    }
  }
}
