/** A persistent REST driver: splunkd keeps processes of its own for it. */
interface Driver {
  /** Names `bin/<name>.sh`, which splunkd starts, `bin/<name>.mjs` and the bundle `bin/lib/<name>.mjs`. */
  name: string;
  /** Of restmap.conf, `[script:<stanza>]`, and of web.conf. */
  stanza: string;
  /** Paths below it go to this driver. No driver's match may begin with another's: nothing promises which one would win. */
  match: string;
  /** What pages of the browser may call, below `match`. */
  webMethods: readonly string[];
  /** The module that exports `main`. */
  entry: string;
}

/** Stanzas of restmap.conf and web.conf, launchers and bundles are made from these. */
export const drivers: readonly Driver[] = [
  {
    name: 'ml_rest',
    stanza: 'ml_extension',
    match: '/ml',
    webMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    entry: 'src/main/restDriver.ts',
  },
];
