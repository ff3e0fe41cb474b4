import { networkInterfaces } from 'node:os';

/** An address of this machine that is not on loopback; undefined if it has none. */
export const ADDRESS = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
