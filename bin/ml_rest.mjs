// Launcher of the REST driver; all of it stands below lib/.
await import('./lib/rest.mjs');
