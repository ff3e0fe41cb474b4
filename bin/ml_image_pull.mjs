// Launcher of the image pull worker, started by the REST driver; all of it stands below lib/.
await import('./lib/pull.mjs');
