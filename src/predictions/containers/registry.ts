import { agent } from './agent.ts';
import { dsdl } from './dsdl.ts';
import { mlflow } from './mlflow.ts';
import { openai } from './openai.ts';
import type { ContainerProtocol } from './protocol.ts';
import { v2 } from './v2.ts';

/** By the names that `protocol` in ml_images.conf takes, in the order in which they are probed. */
export const PROTOCOLS = { dsdl, v2, openai, mlflow, agent } as const satisfies Record<string, ContainerProtocol>;

export type ProtocolName = keyof typeof PROTOCOLS;
export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as ProtocolName[];

/** The protocol is not known yet: it is found by probing. */
export const AUTO = 'auto';

/** Values of `protocol` in ml_images.conf. */
export const PROTOCOL_SETTINGS: readonly string[] = [AUTO, ...PROTOCOL_NAMES];

/** Undefined for `auto` and in records of earlier versions. */
export const protocolOf = (name: string | undefined): ProtocolName | undefined =>
  PROTOCOL_NAMES.find((protocol) => protocol === name);
