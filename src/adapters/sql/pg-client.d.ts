/** The client alone: the package's main module loads its pool and looks for a native library. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg';

  export default Client;
}
