import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bedrock } from '../upstreams/bedrock.ts';
import { gemini } from '../upstreams/gemini.ts';
import type { WireFormat } from '../upstreams/wireFormat.ts';

/** Where a client works, and with what. */
export interface Place {
  /** The folder into which npm has installed the clients. */
  packages: string;
  /** Its home, which is empty. */
  home: string;
  /** The folder of the files that it edits. */
  work: string;
  /** Base address of the gateway, without `/v1`. */
  url: string;
  /** A session key of the platform. */
  key: string;
  model: string;
}

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** A client of the command line, and what a model has to know of its tools. */
export interface CliClient {
  /** Of npm, with its version. */
  package: string;
  /** The connection behind it. */
  connection: string;
  format: WireFormat;
  /** What the model's answers need. A request without this tool is for something else, such as a title. */
  tool: string;
  /** A call that writes `line <n>` into a file. */
  write(file: string, line: number): ToolCall;
  /** A call that looks at a picture. */
  look(file: string): ToolCall;
  /** Writes its settings, and says how it is started. */
  prepare(place: Place, prompt: string): { program: string; args: string[]; env: Record<string, string> };
}

/** Codex with the settings of its page in the guide, and all tools that it has by default. */
const codex: CliClient = {
  package: '@openai/codex@0.171.0',
  connection: 'gemini',
  format: gemini,
  tool: 'exec_command',
  write: (file, line) => ({ name: 'exec_command', arguments: { cmd: `echo 'line ${line}' >> '${file}'` } }),
  look: (path) => ({ name: 'view_image', arguments: { path } }),
  prepare({ packages, home, url, key, model }, prompt) {
    const settings = [
      `model = "${model}"`,
      'model_provider = "splunk"',
      '[model_providers.splunk]',
      'name = "Splunk"',
      `base_url = "${url}/v1"`,
      'env_key = "SPLUNK_TOKEN"',
      'wire_api = "responses"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
    ];
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex/config.toml'), `${settings.join('\n')}\n`);
    const script = join(packages, 'node_modules/@openai/codex/bin/codex.js');
    const rights = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    return { program: process.execPath, args: [script, 'exec', ...rights, prompt], env: { SPLUNK_TOKEN: key } };
  },
};

/** Claude Code with the settings of its page in the guide. */
const claudeCode: CliClient = {
  package: '@anthropic-ai/claude-code@2.1.332',
  connection: 'bedrock',
  format: bedrock,
  tool: 'Edit',
  write: (file_path, line) =>
    line === 0
      ? { name: 'Write', arguments: { file_path, content: 'line 0\n' } }
      : {
          name: 'Edit',
          arguments: { file_path, old_string: `line ${line - 1}\n`, new_string: `line ${line - 1}\nline ${line}\n` },
        },
  look: (file_path) => ({ name: 'Read', arguments: { file_path } }),
  prepare({ packages, url, key, model }, prompt) {
    const program = `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`;
    const rights = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Read,Write,Edit', '--max-turns', '40'];
    return {
      program: join(packages, 'node_modules', program),
      args: ['-p', prompt, ...rights],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
      },
    };
  },
};

export const CLI_CLIENTS: readonly CliClient[] = [codex, claudeCode];
