/** A persistent REST driver with its own pool of processes. */
interface Driver {
  /** Base name of `bin/<name>.sh`, `bin/<name>.mjs` and the bundle `bin/lib/<name>.mjs`. */
  name: string;
  /** Stanza in restmap.conf (`[script:<stanza>]`) and web.conf. */
  stanza: string;
  /** URL prefix. It must not begin with another driver's prefix, since precedence is undefined. */
  match: string;
  /** Methods that browsers may call through Splunk Web. */
  webMethods: readonly string[];
  /** Module that exports `main`. */
  entry: string;
  /** Name of the compiled endpoints below `match`, and of their module in `build/`. */
  contract: string;
}

/** Source of the stanzas in restmap.conf and web.conf, launchers and bundles. */
export const drivers: readonly Driver[] = [
  {
    name: 'ml_rest',
    stanza: 'ml_extension',
    match: '/ml',
    webMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    entry: 'src/main/restDriver.ts',
    contract: 'contract',
  },
  {
    name: 'ml_gateway',
    stanza: 'ml_extension_gateway',
    match: '/ai_gateway',
    webMethods: ['GET', 'POST'],
    entry: 'src/main/gatewayDriver.ts',
    contract: 'gatewayContract',
  },
];
